// RPC over HTTP: reads a call with files: a form with the JSON, the places of the files in it, and the files.
import type { Context } from '../../context/context.js';
import { FwError } from '../../http/errors.js';
import { isDeepJson } from '../../http/json-depth.js';
import { readMediaType } from '../../http/media-type.js';

/**
 * The header field that a form must have. Browsers send forms to other sites without asking them, with cookies; a
 * header field makes them ask first, as `Content-Type: application/json` does.
 */
const HEADER = 'x-fw-upload';

/** A form whose files have not been looked at. */
export interface Upload {
  /** The value of the field `json`, with null for each file. */
  readonly document: unknown;
  readonly entries: ReadonlyMap<string, string | File>;
}

/** Whether the body is a multipart form. */
export function isForm(type: string | undefined): boolean {
  return type !== undefined && readMediaType(type)?.name === 'multipart/form-data';
}

/**
 * Reads the form: the field `json`, the field `files` with a JSON array of JSON Pointers (RFC 6901), and a file `0`, `1`
 * and so on for each of them.
 *
 * @throws FwError 403 without the header field, 400 for another form, 413 if the body or the number of files is too large
 */
export async function readUpload(ctx: Context): Promise<Upload> {
  if (ctx.req.header(HEADER) === undefined) {
    throw FwError.forbidden(
      `a form needs the header field 'X-Fw-Upload: 1', so that no other site can send it for a user`,
    );
  }
  const form = await ctx.req.formData();
  // Once: each look-up in a FormData walks through all of its entries.
  const entries = new Map<string, string | File>();
  for (const [name, value] of form) {
    if (entries.has(name)) throw malformed(`has two parts '${shownName(name)}'`);
    entries.set(name, value);
  }
  const json = entries.get('json');
  if (typeof json !== 'string') throw malformed("needs a field 'json'");
  const document = parsed(json);
  if (document === undefined) throw malformed("has a field 'json' that is not JSON");
  if (isDeepJson(json)) throw malformed("has a field 'json' that is nested too deeply");
  return { document, entries };
}

/** The value of the JSON with its files. @throws FwError 400 if a place does not exist or is taken, or a file is missing */
export function withFiles({ document, entries }: Upload): unknown {
  const places = entries.get('files');
  if (typeof places !== 'string') throw malformed("needs a field 'files'");
  const pointers = parsed(places);
  if (!Array.isArray(pointers) || !pointers.every((one) => typeof one === 'string')) {
    throw malformed("has a field 'files' that is not a JSON array of strings");
  }
  const files = pointers.map((pointer: string, index): [string, File] => {
    const file = entries.get(String(index));
    if (!(file instanceof File)) throw malformed(`has no file '${index}', which its field 'files' places`);
    return [pointer, file];
  });
  if (entries.size !== files.length + 2) throw malformed("has parts that its field 'files' does not place");
  placeFiles(document, files);
  return document;
}

/** Puts the files where the JSON has null. @throws FwError 400 if a place does not exist or is taken */
function placeFiles(document: unknown, files: readonly (readonly [pointer: string, file: File])[]): void {
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
  return JSON.stringify(shownName(pointer));
}

function shownName(name: string): string {
  return name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;
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
