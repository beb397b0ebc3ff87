// RPC over HTTP: reads a call with files: a form with the JSON, the places of the files in it, and the files.
import type { Context } from '../context/context.js';
import { FwError } from '../http/errors.js';
import { readMediaType } from '../http/media-type.js';

/**
 * The header field that a form must have. Browsers send forms to other sites without asking them, with cookies; a
 * header field makes them ask first, as `Content-Type: application/json` does.
 */
const HEADER = 'x-fw-upload';

/** The JSON of a form, and its files by their places. */
export interface Upload {
  /** The text of the field `json`. */
  readonly json: string;
  readonly files: readonly (readonly [pointer: string, file: File])[];
}

/** Whether the body is a multipart form. */
export function isForm(type: string | undefined): boolean {
  return type !== undefined && readMediaType(type)?.name === 'multipart/form-data';
}

/**
 * Reads the form: the field `json`, the field `files` with a JSON array of JSON Pointers (RFC 6901), and a file `0`, `1`
 * and so on for each of them.
 *
 * @throws FwError 403 without the header field, 400 for another form, 413 if the body is too large
 */
export async function readUpload(ctx: Context): Promise<Upload> {
  if (ctx.req.header(HEADER) === undefined) {
    throw FwError.forbidden(
      `a form needs the header field 'X-Fw-Upload: 1', so that no other site can send it for a user`,
    );
  }
  const form = await ctx.req.formData();
  const json = form.get('json');
  const places = form.get('files');
  if (typeof json !== 'string') throw malformed("needs a field 'json'");
  if (typeof places !== 'string') throw malformed("needs a field 'files'");
  const pointers = parsed(places);
  if (!Array.isArray(pointers) || !pointers.every((one) => typeof one === 'string')) {
    throw malformed("has a field 'files' that is not a JSON array of strings");
  }
  const files = pointers.map((pointer: string, index): [string, File] => {
    const file = form.get(String(index));
    if (!(file instanceof File)) throw malformed(`has no file '${index}', which its field 'files' places`);
    return [pointer, file];
  });
  if ([...form.keys()].length !== files.length + 2)
    throw malformed("has parts that its field 'files' does not place");
  return { json, files };
}

/** The value of the JSON with its files. @throws FwError 400 if it is not JSON, or a place does not exist or is taken */
export function withFiles(json: string, files: Upload['files']): unknown {
  const document = parsed(json);
  if (document === undefined) throw malformed("has a field 'json' that is not JSON");
  placeFiles(document, files);
  return document;
}

/** Puts the files where the JSON has null. @throws FwError 400 if a place does not exist or is taken */
function placeFiles(document: unknown, files: Upload['files']): void {
  for (const [pointer, file] of files) {
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop();
    const parent = pointer.startsWith('/') ? keys.reduce(inside, document) : undefined;
    if (last === undefined || inside(parent, last) !== null) {
      throw malformed(`places a file at ${shown(pointer)}, where its JSON has no null`);
    }
    (parent as Record<string, unknown>)[last] = file;
  }
}

/** Own members only: a pointer must not reach a prototype. Undefined if there is no such member. */
function inside(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // JSON.parse throws only for malformed text.
    return undefined;
  }
}

const LONGEST_SHOWN = 100;

function shown(pointer: string): string {
  return JSON.stringify(pointer.length > LONGEST_SHOWN ? `${pointer.slice(0, LONGEST_SHOWN)}…` : pointer);
}

function malformed(what: string): FwError {
  return FwError.badRequest(`the form of an upload ${what}`);
}

/** @throws FwError 415 */
export function refuseForm(name: string): never {
  throw FwError.unsupportedMediaType(
    `'${name}' takes no files, so its call is not sent as a form; send 'Content-Type: application/json'`,
  );
}
