import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { withServer } from '../testing/test-server.js';
import { codingFault } from './request-target.js';

const FAULT = "request bodies are accepted in the transfer coding 'chunked' alone";

describe('The transfer coding of a request', () => {
  it.each(['chunked', 'Chunked', ' chunked\t', ', chunked'])('%j is accepted', (field) => {
    expect(codingFault(field)).toBeUndefined();
  });

  it.each(['gzip, chunked', 'chunked, chunked', 'gzip', 'identity', 'identity, chunked', '', 'chunked;q=1'])(
    '%j is refused',
    (field) => {
      expect(codingFault(field)).toBe(FAULT);
    },
  );

  it('is checked before a route runs, on a socket', async () => {
    let calls = 0;
    const app = new App().post('/', () => {
      calls += 1;
    });
    await withServer(app, async (server) => {
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = request(server.url, {
          method: 'POST',
          headers: { 'Transfer-Encoding': 'gzip, chunked' },
        });
        sent.on('error', reject);
        sent.on('response', async (response) => {
          const chunks = await response.toArray();
          resolve(`${response.statusCode} ${Buffer.concat(chunks)}`);
        });
        sent.end('abc');
      });
      expect(answer).toBe(`400 ${JSON.stringify({ error: 'BadRequest', message: FAULT })}`);
    });
    expect(calls).toBe(0);
  });

  it('is checked before a route runs, of a web Request', async () => {
    const headers = { 'Transfer-Encoding': 'gzip, chunked' };
    const app = new App().post('/', () => 'ran');
    const response = await app.fetch(
      new Request('http://localhost/', { method: 'POST', body: 'abc', headers }),
    );
    expect(response.status).toBe(400);
  });
});
