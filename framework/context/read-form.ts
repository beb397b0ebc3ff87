// The request side of a context: the fields and files of a form, in memory.
import type { FwRequest } from './request.js';

/** @throws FwError `BadRequest` (400) when the media type is another one or the body is malformed */
export async function readForm(request: FwRequest): Promise<FormData> {
  const { readFormType } = await import('../multipart/form-type.js');
  const type = readFormType(request.header('content-type'));
  if (type.kind === 'multipart') {
    const { parseForm } = await import('../multipart/read-parts.js');
    return parseForm(await request.bytes(), type.boundary);
  }
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(await request.text())) form.append(name, value);
  return form;
}
