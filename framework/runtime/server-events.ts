// Servers: events of their start and their end, for subscribers. `fw dev` prints the address itself, and restarts at every
// save: under it there are none.
import diagnostics from 'node:diagnostics_channel';
import { isTraced, publishEvent } from '../tracing/event.js';
import { isHeard } from '../tracing/trace-channel.js';

/** Has a subscriber under `fw dev` alone, whatever NODE_ENV says there. */
const APPS = diagnostics.channel('fw:app');

/**
 * Publishes that a server listens.
 *
 * @returns a function that closes it, once, and publishes that it drains and that it has ended
 */
export function announced(url: string, close: () => Promise<void>): () => Promise<void> {
  tell(`listening on ${url}`, url);
  let closed: Promise<void> | undefined;
  async function drain(): Promise<void> {
    tell(`draining ${url}: requests in flight are answered`, url);
    await close();
    tell(`closed ${url}`, url);
  }
  return function closeServer() {
    closed ??= drain();
    return closed;
  };
}

function tell(message: string, url: string): void {
  if (isTraced() && !isHeard(APPS)) publishEvent('info', message, { url });
}
