// A client of the page about the app, for its tests.
import http, { type IncomingMessage } from 'node:http';
import type { RequestSummary } from './protocol.js';

/** An open event stream of the page. */
export interface Events {
  /** Resolves with the data of the next event of that name which fits. */
  next<Data>(name: string, fits?: (data: Data) => boolean): Promise<Data>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  close(): void;
}

export function events(port: number, path = '/_fw/events'): Promise<Events> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = '';
      const seen: { name: string; data: unknown }[] = [];
      const waiting = new Set<() => void>();
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, name, data] = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(block) ?? [];
          if (name !== undefined) seen.push({ name, data: JSON.parse(data ?? '') });
        }
        for (const look of waiting) look();
      });
      response.on('error', () => {});
      resolve({
        next: (name, fits = () => true) =>
          new Promise((found) => {
            const look = (): void => {
              const index = seen.findIndex((one) => one.name === name && fits(one.data as never));
              if (index === -1) return;
              waiting.delete(look);
              found(seen.splice(0, index + 1).at(-1)?.data as never);
            };
            waiting.add(look);
            look();
          }),
        ended: new Promise((done) => response.once('close', done)),
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

/** The data of the event `requests`. */
export type Batch = { requests: RequestSummary[]; skipped: number };

/** Orders a request as the page does. */
export function send(
  port: number,
  order: object,
  to: http.RequestOptions = {},
  headers: Record<string, string> = {
    origin: `http://127.0.0.1:${port}`,
    'content-type': 'application/json',
  },
): Promise<{ status: number | undefined; body: unknown }> {
  const host = `127.0.0.1:${port}`;
  const all = Object.fromEntries(Object.entries({ host, ...headers }).filter(([, value]) => value !== ''));
  return ask(port, { path: '/_fw/send', method: 'POST', headers: all, ...to }, JSON.stringify(order));
}

export function ask(
  port: number,
  options: http.RequestOptions,
  body = '',
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const to = 'socketPath' in options ? {} : { host: '127.0.0.1', port: port };
    const request = http.request({ ...to, agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, body: text === '' ? '' : JSON.parse(text) }),
      );
    });
    request.on('error', reject).end(body);
  });
}

export function post(
  port: number,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const request = http.request(
      { host: '127.0.0.1', port: port, path, method: 'POST', headers: all, agent: false },
      (response) => response.resume().on('end', () => resolve(response)),
    );
    request.on('error', reject).end(body);
  });
}
