// Multipart: reads the parts of a form one by one with files as streams, or a whole form from memory.
import type { MultipartLimits } from './limits.js';
import { MultipartField, MultipartFile, type MultipartPart } from './part.js';
import { PartReader } from './part-reader.js';

/** Yields the parts; leaving the loop stops reading the body. @throws FwError 400 or 413. */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  limits: MultipartLimits,
): AsyncGenerator<MultipartPart, void, undefined> {
  const reader = new PartReader(body, boundary, limits);
  let file: MultipartFile | undefined;
  try {
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
      if (event.kind === 'field') yield new MultipartField(event.head, event.bytes);
      else if (event.kind === 'file') {
        file = new MultipartFile(event.head, reader);
        yield file;
        await file.drain();
      }
    }
  } finally {
    file?.pass();
    reader.cancel();
  }
}

/** @throws FwError BadRequest if the bytes are not a multipart form, PayloadTooLarge if a limit is exceeded. */
export async function parseForm(
  bytes: Uint8Array,
  boundary: string,
  limits: MultipartLimits,
): Promise<FormData> {
  const form = new FormData();
  for await (const part of readParts(inSlices(bytes), boundary, limits)) {
    if (part.kind === 'field') form.append(part.name, part.value);
    else {
      const content = (await part.bytes()) as Uint8Array<ArrayBuffer>;
      form.append(part.name, new File([content], part.filename, { type: part.type }));
    }
  }
  return form;
}

const SLICE = 64 * 1024;

/** Splits the body into chunks, because all events of a chunk wait in a queue. */
function inSlices(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (offset >= bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(offset, offset + SLICE));
        offset += SLICE;
      },
    },
    { highWaterMark: 0 },
  );
}
