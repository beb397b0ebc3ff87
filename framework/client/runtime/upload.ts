// The client: bodies with files.

/** The part of a Blob that the client uses. */
export interface FwRpcBlob {
  readonly size: number;
  readonly type: string;
}

/** A Blob or a File of the libraries that the program is compiled with. */
export type FwRpcFile = typeof globalThis extends { Blob: { prototype: infer Type extends FwRpcBlob } }
  ? Type
  : FwRpcBlob;

/** The part of FormData that the client uses. */
export interface FwRpcFields {
  get(name: string): unknown;
}

export type FwRpcForm = typeof globalThis extends { FormData: { prototype: infer Type extends FwRpcFields } }
  ? Type
  : FwRpcFields;

interface FwRpcUploadGlobals {
  readonly Blob: new () => FwRpcFile;
  readonly FormData: new () => FwRpcForm & { append(name: string, value: unknown): void };
}

const uploads = globalThis as unknown as FwRpcUploadGlobals;

/** JSON, or a form if there are files in it: the JSON with null for each file, their places (RFC 6901), and the files. */
export function toJsonOrForm(value: unknown): string | FwRpcForm {
  const files: [pointer: string, file: FwRpcFile][] = [];
  const json = JSON.stringify(withoutFiles(value, '', files));
  if (files.length === 0) return json;
  const form = new uploads.FormData();
  form.append('json', json);
  form.append('files', JSON.stringify(files.map(([pointer]) => pointer)));
  for (const [index, [, file]] of files.entries()) form.append(String(index), file);
  return form;
}

function withoutFiles(value: unknown, pointer: string, files: [pointer: string, file: FwRpcFile][]): unknown {
  if (value instanceof uploads.Blob) {
    files.push([pointer, value]);
    return null;
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  const inside = (one: unknown, key: string | number): unknown =>
    withoutFiles(one, `${pointer}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`, files);
  if (Array.isArray(value)) return value.map(inside);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one, key)]));
}

/** The form of a body. Lists become several fields of one name, and what is undefined is left out. */
export function toForm(body: unknown): FwRpcForm {
  const form = new uploads.FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one === undefined || one === null) continue;
      form.append(name, one instanceof uploads.Blob || typeof one === 'string' ? one : JSON.stringify(one));
    }
  }
  return form;
}
