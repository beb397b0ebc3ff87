// Multipart: parses the header fields of a part.
import { FwError } from '../http/errors.js';

export interface PartHead {
  /** The name of the form's field. */
  readonly name: string;
  /**
   * The last segment of the file name as the client sent it; undefined for fields, empty if no file was chosen.
   * Never use it as a path (RFC 7578, section 4.2).
   */
  readonly filename: string | undefined;
  /** The media type as sent; by default `text/plain` for fields and `application/octet-stream` for files. */
  readonly type: string;
  /** Header fields of the part by lower-case name, without a prototype. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A parameter whose quoted value may contain any character: browsers send file names as UTF-8 and escape a quote as
 * `%22` (HTML, "multipart/form-data encoding algorithm"), other clients as `\"`; a single backslash is literal.
 */
const PARAMETER =
  /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:\\"|[^"])*)"(?=[ \t]*(?:;|$))|([\w!#$%&'*+.^`|~-]+))/y;

/** @throws FwError BadRequest if the part has no field name. */
export function readPartHead(fields: Iterable<readonly [name: string, value: string]>): PartHead {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of fields) {
    const known = headers[name];
    if (name === 'content-disposition' && known !== undefined) throw malformed('has two Content-Disposition');
    headers[name] = known === undefined ? value : `${known}, ${value}`;
  }
  const parameters = readDisposition(headers['content-disposition'] ?? '');
  const name = parameters.name;
  if (name === undefined) throw malformed('has no name in its Content-Disposition');
  const filename = parameters.filename ?? decodeExtended(parameters['filename*']);
  return {
    name: unescapeName(name),
    filename: filename === undefined ? undefined : lastSegment(unescapeName(filename)),
    type: headers['content-type'] ?? (filename === undefined ? 'text/plain' : 'application/octet-stream'),
    headers,
  };
}

function readDisposition(disposition: string): Record<string, string> {
  if (!/^form-data(?=[ \t;]|$)/i.test(disposition))
    throw malformed("has no 'Content-Disposition: form-data'");
  const parameters: Record<string, string> = Object.create(null);
  PARAMETER.lastIndex = 'form-data'.length;
  let end = PARAMETER.lastIndex;
  for (let found = PARAMETER.exec(disposition); found !== null; found = PARAMETER.exec(disposition)) {
    const [, key = '', quoted, token = ''] = found;
    const name = key.toLowerCase();
    // Parsers that choose different ones would see different files.
    if (name in parameters) throw malformed(`has two of '${name}' in its Content-Disposition`);
    parameters[name] = quoted?.replaceAll('\\"', '"') ?? token;
    end = PARAMETER.lastIndex;
  }
  if (/[^ \t;]/.test(disposition.slice(end))) throw malformed('has a malformed Content-Disposition');
  return parameters;
}

/** RFC 8187 encoding; RFC 7578 forbids it in forms, but some clients send only this. */
function decodeExtended(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const found = /^utf-8'[^']*'(.*)$/i.exec(value);
  try {
    if (found) return withoutNul(decodeURIComponent(found[1] as string));
  } catch (cause) {
    throw malformed("has a malformed 'filename*'", cause);
  }
  throw malformed("has a 'filename*' that is not UTF-8");
}

/** As in every other header field. */
function withoutNul(text: string): string {
  if (text.includes('\0')) throw new Error('it contains a NUL');
  return text;
}

function unescapeName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Some clients send the whole path, with the separators of their operating system. A folder has no name of a file. */
function lastSegment(filename: string): string {
  const last = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : last;
}

function malformed(what: string, cause?: unknown): FwError {
  return FwError.badRequest(
    `malformed multipart body: a part ${what}`,
    cause === undefined ? undefined : { cause },
  );
}
