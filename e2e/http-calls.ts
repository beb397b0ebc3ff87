// Requests that journeys send to a running app.
import { Agent, get } from 'node:http';

/** On a connection of its own, so that the processes take turns. */
export function statusOf(address: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    get(address, { agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

export function cookieOf(response: Response, name: string): string {
  const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0]?.split('=') ?? []);
  return cookies.find(([key]) => key === name)?.[1] ?? '';
}

/** The options of a POST. */
export function json(body: object): { method: string; headers: Record<string, string>; body: string } {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
