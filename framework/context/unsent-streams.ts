// The context's part in streams: of those that were made for a request, all that are not sent with its response are
// ended, so that no file, connection or generator stays open.
import type { HandedStream } from '../http/handed-stream.js';
import { type FwResponse, isBodiless } from '../http/response.js';

/** Takes note of responses with streams, and ends what is not sent of them. */
export interface StreamKeeper {
  add(response: FwResponse): void;
  /** @param method of the request: a response to HEAD is sent without its body */
  sendOnly(response: FwResponse, method: string): void;
}

/** The responses with streams that were made for one request. */
export class UnsentStreams implements StreamKeeper {
  readonly #responses = new Set<FwResponse>();

  add(response: FwResponse): void {
    this.#responses.add(response);
  }

  sendOnly(response: FwResponse, method: string): void {
    const isWithBody = method !== 'HEAD' && !isBodiless(response.status);
    const stream = isWithBody ? response.handed : undefined;
    const others = new Set(response.replaced);
    for (const { handed, replaced } of this.#responses) {
      for (const one of replaced) others.add(one);
      if (handed !== undefined) others.add(handed);
    }
    if (stream === undefined) {
      endAll(others);
      return;
    }
    others.delete(stream);
    stream.take();
    // The stream that is sent may be made of them, and begin to read them late.
    if (others.size > 0) stream.atEnd(() => endAll(others));
  }
}

/** After the response was sent: what a handler or middleware makes now is never sent. */
export const LATE: StreamKeeper = {
  add({ handed, replaced }) {
    endAll(replaced);
    handed?.endUnread();
  },
  sendOnly() {},
};

function endAll(streams: Iterable<HandedStream>): void {
  for (const one of streams) one.endUnread();
}
