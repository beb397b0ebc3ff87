// Health: alive always, ready only while requests can be answered.
import { TestClient } from 'fw/testing';
import { expect, test } from 'vitest';
import { testApp } from '../test-app.ts';
import { Health } from './health.ts';

test('the app is alive and ready', async () => {
  await using api = await testApp();
  for (const path of ['/health/live', '/health/ready']) {
    (await api.anyone.get(path)).assertStatus(200).assertJson({ status: 'ok' });
  }
});

test('it is not ready while it drains, and alive all the same', async () => {
  await using api = await testApp();
  api.services.health.drain();
  (await api.anyone.get('/health/ready')).assertStatus(503).assertJson({ status: 'unavailable' });
  (await api.anyone.get('/health/live')).assertStatus(200);
});

test('it is not ready while the database is away, and says why in the log alone, once', async () => {
  await using api = await testApp();
  const lines: string[] = [];
  const log = {
    info: (_: object, text: string) => lines.push(text),
    warn: (_: object, text: string) => lines.push(text),
  };
  let isAway = true;
  const db = api.db.withPlugin({
    transformQuery({ node }) {
      if (isAway) throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const client = new TestClient(new Health(db, log as never).routes());
  await client.get('/ready');
  (await client.get('/ready')).assertStatus(503).assertJson({ status: 'unavailable' });
  isAway = false;
  (await client.get('/ready')).assertStatus(200);
  expect(lines).toEqual(['not ready: the database is away', 'ready: the database is back']);
});

test('it is not ready while the database does not answer', async () => {
  await using api = await testApp();
  let answer = () => {};
  const db = api.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) =>
      new Promise((resolve) => {
        answer = () => resolve(result);
      }),
  });
  const reasons: string[] = [];
  const log = { info() {}, warn: ({ err }: { err: Error }) => reasons.push(err.message) };
  const client = new TestClient(new Health(db, log as never, 20).routes());
  (await client.get('/ready')).assertStatus(503);
  expect(reasons).toEqual(['no answer within 20 ms']);
  // Gives the connection back, which the end of the database waits for.
  answer();
});
