// Reads of environment variables are noted, and process.env is as it was.
import { execFileSync } from 'node:child_process';
import { env as imported } from 'node:process';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markSecrets } from '../../../framework/tracing/secrets.js';
import { EnvReads } from './env-reads.js';

const real = process.env;
let reads: EnvReads;
beforeEach(() => {
  process.env.FW_TRIAL_A = 'a';
  reads = EnvReads.watch();
});
afterEach(() => {
  process.env = real;
  delete real.FW_TRIAL_A;
  delete real.FW_TRIAL_B;
});

const names = () => reads.all.map(({ name }) => name).filter((name) => name.startsWith('FW_'));

it('notes reads by name, by destructuring and by `in`, also of what is not set, with their place', () => {
  const { FW_TRIAL_A: a, FW_NOT_SET: none } = process.env;
  expect([a, none, 'FW_IN' in process.env]).toEqual(['a', undefined, false]);
  expect(names()).toEqual(['FW_TRIAL_A', 'FW_NOT_SET', 'FW_IN']);
});

it('notes nothing of copies, and what is read of them later again', async () => {
  const copies = [{ ...process.env }, Object.fromEntries(Object.entries(process.env))];
  JSON.parse(JSON.stringify(process.env));
  for (const name in process.env) copies.push({ [name]: process.env[name] });
  expect(copies[0]?.FW_TRIAL_A).toBe('a');
  expect(names()).toEqual([]);
  await Promise.resolve();
  expect(process.env.FW_TRIAL_A).toBe('a');
  expect(names()).toEqual(['FW_TRIAL_A']);
});

it('notes nothing that Node.js reads itself, also where the app has called it', () => {
  execFileSync(process.execPath, ['-e', '']);
  const all = reads.all.map(({ name }) => name);
  expect(all).not.toContain('NODE_V8_COVERAGE');
  expect(process.env.NODE_V8_COVERAGE).toBe(real.NODE_V8_COVERAGE);
  expect(reads.all.map(({ name }) => name)).toContain('NODE_V8_COVERAGE');
});

it('notes what the app says is secret, read or not', () => {
  markSecrets({ in: 'variable', name: 'FW_TRIAL_A' }, { in: 'variable', name: 'FW_NOT_READ' });
  expect(process.env.FW_TRIAL_A).toBe('a');
  expect(reads.all.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual([
    'FW_TRIAL_A',
    'FW_NOT_READ',
  ]);
});

it('leaves everything else as it is', () => {
  process.env.FW_TRIAL_B = 5 as never;
  expect([process.env.FW_TRIAL_B, real.FW_TRIAL_B, imported.FW_TRIAL_B]).toEqual(['5', '5', '5']);
  process.env.FW_TRIAL_B = undefined;
  expect(process.env.FW_TRIAL_B).toBe('undefined');
  expect(Object.keys(process.env)).toEqual(Object.keys(real));
  // Node.js 26 prints that an object is a proxy.
  expect([inspect(real), `Proxy(${inspect(real)})`]).toContain(inspect(process.env));
  expect(`${process.env}`).toBe('[object Object]');
  const child = execFileSync(process.execPath, ['-p', 'process.env.FW_TRIAL_A'], { encoding: 'utf8' });
  expect(child).toBe('a\n');
  delete process.env.FW_TRIAL_B;
  expect(['FW_TRIAL_B' in real, Object.hasOwn(process.env, 'FW_TRIAL_A')]).toEqual([false, true]);
  expect(names()).toEqual(['FW_TRIAL_B']);
});

it('is what threads get', async () => {
  const code = "require('node:worker_threads').parentPort.postMessage(process.env.FW_TRIAL_A)";
  for (const options of [{}, { env: process.env }]) {
    const worker = new Worker(code, { eval: true, ...options });
    expect(await new Promise((done) => worker.once('message', done))).toBe('a');
    await worker.terminate();
  }
});
