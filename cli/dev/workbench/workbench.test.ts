// The page about the app over the whole way: a client, the worker that passes its requests on, the supervisor.
import http, { type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import type { RequestDetail, RequestSummary } from './protocol.js';

let app: TrialApp;
afterEach(() => app.close());

const server = (body: string, above = ''): string => `
${above}
import http from 'node:http';
http.createServer((request, response) => { ${body} }).listen(4567);`;

/** An open event stream of the page. */
interface Events {
  /** Resolves with the data of the next event of that name which fits. */
  next<Data>(name: string, fits?: (data: Data) => boolean): Promise<Data>;
  close(): void;
}

function events(path = '/_fw/events'): Promise<Events> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port: app.port, path, agent: false }, (response) => {
      let text = '';
      const seen: { name: string; data: unknown }[] = [];
      const waiting = new Set<() => void>();
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
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
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

type Batch = { requests: RequestSummary[]; skipped: number };

async function json<Data>(path: string): Promise<Data> {
  return JSON.parse((await app.get(path)).text) as Data;
}

describe('requests', () => {
  it('are recorded while a page is open, with head and body both ways', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "request.resume().on('end', () => response.writeHead(201, { 'X-Request-Id': 'r1' }).end('hello'));",
      ),
    });
    await app.get('/before');
    const page = await events();
    expect(await page.next('hello')).toMatchObject({
      name: 'trial',
      state: { phase: 'ready', generation: 1 },
    });
    await post('/items?token=abc', '{"password":"p","name":"n"}', { authorization: 'Bearer x' });
    const { requests } = await page.next<Batch>('requests', ({ requests }) => requests[0]?.status === 201);
    expect(requests).toMatchObject([
      { id: 1, method: 'POST', target: '/items?token=••••••', size: 5, requestId: 'r1' },
    ]);
    expect(await json('/_fw/requests')).toEqual(requests);
    const detail = await json<RequestDetail>('/_fw/requests/1');
    expect(detail.requestHeaders).toContainEqual(['authorization', '••••••']);
    expect(detail.requestBody).toMatchObject({ size: 27, text: '{"password":"••••••","name":"n"}' });
    expect(detail.responseHeaders).toContainEqual(['X-Request-Id', 'r1']);
    expect(detail.responseBody).toMatchObject({ size: 5, text: 'hello' });
    page.close();
  });
});

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const request = http.request(
      { host: '127.0.0.1', port: app.port, path, method: 'POST', headers: all, agent: false },
      (response) => response.resume().on('end', () => resolve(response)),
    );
    request.on('error', reject).end(body);
  });
}
