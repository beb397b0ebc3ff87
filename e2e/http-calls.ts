// Requests that journeys send to a running app.
import { Agent, get } from 'node:http';

/** How long a journey waits for an answer, in milliseconds. */
export const patience = 60_000;

/** On a connection of its own, so that any of several processes may answer. */
export function statusOf(address: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    get(address, { agent, headers, signal: AbortSignal.timeout(patience) }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

/** The options of a POST. */
export function json(body: object): { method: string; headers: Record<string, string>; body: string } {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
