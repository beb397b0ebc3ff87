// Forms: reads the encoding of a form from the Content-Type of a request.
import { FwError } from '../http/errors.js';
import { type MediaType, readMediaType, shownType } from '../http/media-type.js';

export type FormType =
  | { readonly kind: 'urlencoded' }
  | { readonly kind: 'multipart'; readonly boundary: string };

const MULTIPART = 'multipart/form-data';
const URLENCODED = 'application/x-www-form-urlencoded';

/** RFC 2046, section 5.1.1. */
const BOUNDARY_CHARACTERS = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

/** @throws FwError BadRequest if the type is not that of a form, or the boundary is missing or malformed. */
export function readFormType(type: string | undefined): FormType {
  const form = formOf(type);
  if (form === undefined) throw noForm(type, "'multipart/form-data' or 'application/x-www-form-urlencoded'");
  if (form.name === URLENCODED) return { kind: 'urlencoded' };
  return { kind: 'multipart', boundary: readBoundary(form) };
}

/** The boundary of a multipart form. @throws FwError BadRequest if the type or the boundary is not valid. */
export function readMultipartType(type: string | undefined): string {
  const form = formOf(type);
  if (form?.name !== MULTIPART) throw noForm(type, "'multipart/form-data'");
  return readBoundary(form);
}

function formOf(type: string | undefined): MediaType | undefined {
  const read = type === undefined ? undefined : readMediaType(type);
  return read?.name === MULTIPART || read?.name === URLENCODED ? read : undefined;
}

function readBoundary({ parameters }: MediaType): string {
  const [boundary, second] = parameters.filter(([name]) => name === 'boundary').map(([, value]) => value);
  if (boundary === undefined)
    throw FwError.badRequest("the media type 'multipart/form-data' needs a boundary");
  if (second !== undefined)
    throw FwError.badRequest("the media type 'multipart/form-data' names two boundaries");
  if (BOUNDARY_CHARACTERS.test(boundary)) return boundary;
  if (boundary === '') throw FwError.badRequest(EMPTY_BOUNDARY);
  throw FwError.badRequest(`the boundary '${shownType(boundary)}' of the multipart body is malformed`);
}

function noForm(type: string | undefined, wanted: string): FwError {
  if (type === undefined) return FwError.badRequest(`the body needs a Content-Type: ${wanted}`);
  const shown = `the media type '${shownType(type)}'`;
  if (BARE_BOUNDARY.test(type)) return FwError.badRequest(EMPTY_BOUNDARY);
  if (PARAMETERS.test(type) && readMediaType(type) === undefined) {
    return FwError.badRequest(
      `${shown} has malformed parameters; put quotes around a value that has other characters than letters, digits and !#$%&'*+-.^_\`|~`,
    );
  }
  return FwError.badRequest(`${shown} is not the expected form; send ${wanted}`);
}

/** Those of one type, malformed or not. */
const PARAMETERS = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)[ \t]*;[^,]*$/i;
const BARE_BOUNDARY = /^multipart\/form-data[ \t]*;[ \t]*boundary=[ \t]*(?:;|$)/i;
const EMPTY_BOUNDARY =
  "the boundary of 'multipart/form-data' is empty; send the text that separates the parts of the body";
