// serveSpa while a dev server answers in place of the files.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { TestClient } from '../testing/index.js';
import type { FrontendOffer, FrontendRequest } from './frontend-channel.js';

const asked: FrontendRequest[] = [];
function answerAll(offer: unknown): void {
  (offer as FrontendOffer).answer = async (request) => {
    asked.push(request);
    return new Response(`the page ${request.target}`, { status: 203, headers: { 'X-From': 'dev' } });
  };
}
afterEach(() => {
  diagnostics.unsubscribe('fw:frontend', answerAll);
  asked.length = 0;
});

it('answers what no route matches, though the directory does not exist', async () => {
  diagnostics.subscribe('fw:frontend', answerAll);
  const app = new App().get('/api', () => 'of the app').serveSpa('no/such/dir', 'index.html');
  const client = new TestClient(app);
  (await client.get('/api')).assertText('of the app');
  const page = await client.get('/@id/a%20b?v=1&w', { headers: { 'X-Own': 'yes' } });
  page.assertStatus(203).assertText('the page /@id/a%20b?v=1&w').assertHeader('x-from', 'dev');
  expect(asked[0]).toMatchObject({ method: 'GET', headers: { 'x-own': 'yes' } });
  expect(asked[0]?.signal).toBeInstanceOf(AbortSignal);
  (await client.post('/other')).assertStatus(404);
  expect(asked).toHaveLength(1);
});

it('needs the directory if a subscriber does not answer', () => {
  const silent = (): void => {};
  diagnostics.subscribe('fw:frontend', silent);
  try {
    expect(() => new App().serveSpa('no/such/dir', 'index.html')).toThrow('no/such/dir');
  } finally {
    diagnostics.unsubscribe('fw:frontend', silent);
  }
});
