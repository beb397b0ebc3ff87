// Forms: which of the two encodings of a form the Content-Type of a request names, if any.
import { FwError } from '../errors.js';
import { shownType } from '../media-type.js';

export type FormType =
  | { readonly kind: 'urlencoded' }
  | { readonly kind: 'multipart'; readonly boundary: string };

// RFC 9110, section 8.3.1: type, then parameters; section 5.6.6 allows empty ones.
const FORM =
  /^(application\/x-www-form-urlencoded|multipart\/form-data)[ \t]*((?:;[ \t]*(?:[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")[ \t]*)?)*)$/i;

const BOUNDARY = /;[ \t]*boundary=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]+))/gi;

/** RFC 2046, section 5.1.1. */
const BOUNDARY_CHARACTERS = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

/** @throws FwError BadRequest when it is neither, or names no usable boundary. */
export function readFormType(type: string | undefined): FormType {
  const found = type === undefined ? undefined : FORM.exec(type);
  if (!found) throw noForm(type, "'multipart/form-data' or 'application/x-www-form-urlencoded'");
  const [, name = '', parameters = ''] = found;
  if (name.toLowerCase() !== 'multipart/form-data') return { kind: 'urlencoded' };
  return { kind: 'multipart', boundary: readBoundary(parameters) };
}

/** The boundary of a multipart form. @throws FwError BadRequest when it is none, or names no usable boundary. */
export function readMultipartType(type: string | undefined): string {
  const form = type === undefined || !FORM.test(type) ? undefined : readFormType(type);
  if (form?.kind !== 'multipart') throw noForm(type, "'multipart/form-data'");
  return form.boundary;
}

function readBoundary(parameters: string): string {
  const [first, second] = [...parameters.matchAll(BOUNDARY)];
  if (first === undefined) throw FwError.badRequest("the media type 'multipart/form-data' needs a boundary");
  if (second !== undefined)
    throw FwError.badRequest("the media type 'multipart/form-data' names two boundaries");
  const boundary = first[2] ?? (first[1] ?? '').replace(/\\(.)/g, '$1');
  if (BOUNDARY_CHARACTERS.test(boundary)) return boundary;
  throw FwError.badRequest(`the boundary '${shownType(boundary)}' of the multipart body is malformed`);
}

function noForm(type: string | undefined, wanted: string): FwError {
  return FwError.badRequest(
    type === undefined
      ? `the body needs a Content-Type: ${wanted}`
      : `the media type '${shownType(type)}' is not the expected form; send ${wanted}`,
  );
}
