// The client: the text of the code that sends files. A client whose procedures take none has none of it.

/** Of the client and its declarations. */
export const uploadTypes: string = `
/** The part of a Blob that the client uses. */
export interface FwRpcBlob {
  readonly size: number;
  readonly type: string;
}

/** A Blob or a File of the libraries that the program is compiled with. */
export type FwRpcFile = typeof globalThis extends { Blob: { prototype: infer Type extends FwRpcBlob } } ? Type : FwRpcBlob;

/** The part of FormData that the client uses. */
export interface FwRpcFields {
  get(name: string): unknown;
}

export type FwRpcForm = typeof globalThis extends { FormData: { prototype: infer Type extends FwRpcFields } }
  ? Type
  : FwRpcFields;
`;

/** The types of requests, whose body may be a form. */
export function withForms(requestTypes: string): string {
  return replaced(requestTypes, 'readonly body?: string;', 'readonly body?: string | FwRpcForm;');
}

/** Before the class. */
export const uploadHead: string = `
interface FwRpcUploadGlobals {
  readonly Blob: new () => FwRpcFile;
  readonly FormData: new () => FwRpcForm & { append(name: string, value: unknown): void };
}

const uploads = globalThis as unknown as FwRpcUploadGlobals;
`;

/** The method that sends requests, for bodies that may be forms. */
export function sendingForms(sendMethod: string): string {
  const typed = replaced(sendMethod, 'body: string | undefined,', 'body: string | FwRpcForm | undefined,');
  return replaced(
    typed,
    `body === undefined ? {} : { 'Content-Type': 'application/json' },`,
    `body === undefined ? {} : typeof body === 'string' ? { 'Content-Type': 'application/json' } : { 'X-Fw-Upload': '1' },`,
  );
}

/** The expression of a body in a client with files. */
export function bodyText(hasFiles: boolean, value: string): string {
  return hasFiles ? `bodyOf(${value})` : `JSON.stringify(${value})`;
}

/** After the class. */
export const uploadEnd: string = `
/** JSON, or a form if there are files in it: the JSON with null for each file, their places (RFC 6901), and the files. */
function bodyOf(value: unknown): string | FwRpcForm {
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
    withoutFiles(one, \`\${pointer}/\${String(key).replace(/~/g, '~0').replace(/\\//g, '~1')}\`, files);
  if (Array.isArray(value)) return value.map(inside);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one, key)]));
}
`;

/** After the class, if routes take forms. */
export const formEnd: string = `
/** The form of a body. Lists become several fields of one name, and what is undefined is left out. */
function formOf(body: unknown): FwRpcForm {
  const form = new uploads.FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one === undefined || one === null) continue;
      form.append(name, one instanceof uploads.Blob || typeof one === 'string' ? one : JSON.stringify(one));
    }
  }
  return form;
}
`;

/** @throws Error if the text to replace is gone */
function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the text of the client has no ${JSON.stringify(part)}`);
  return text.replace(part, () => by);
}
