// The channel `fw:frontend`: while the frontend is developed, its dev server answers in place of the files of serveSpa.
import diagnostics from 'node:diagnostics_channel';
import { isHeard } from '../tracing/trace-channel.js';

/** A request that no route matched. */
export interface FrontendRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the other end of the connection; undefined without a socket. */
  readonly peer?: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** The message on the channel: a subscriber that sets `answer` takes the place of the files. */
export interface FrontendOffer {
  readonly dir: string;
  readonly fallback: string;
  answer?: (request: FrontendRequest) => Promise<Response>;
}

const channel = diagnostics.channel('fw:frontend');

/** Undefined if nobody answers in place of the files, as in production. */
export function frontendAnswer(dir: string, fallback: string): FrontendOffer['answer'] {
  if (!isHeard(channel)) return undefined;
  const offer: FrontendOffer = { dir, fallback };
  channel.publish(offer);
  return offer.answer;
}
