// Which messages of processes of node:cluster say that they listen, and what the developer reads then.
import { ChildProcess } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { clusterError, watchCluster } from './cluster.js';

const { prototype } = ChildProcess;
const { emit } = prototype;
afterEach(() => {
  prototype.emit = emit;
});

it('hears of each port, and of nothing else that a worker says', () => {
  const ports: number[] = [];
  watchCluster((port) => ports.push(port));
  const worker = new ChildProcess();
  const got: unknown[] = [];
  worker.on('internalMessage', (...args: unknown[]) => got.push(args)).on('message', () => {});
  const said = [
    { act: 'queryServer', port: 3000 },
    // On a path, and on whatever port is free.
    { act: 'queryServer', port: -1 },
    { act: 'queryServer', port: 0 },
    { act: 'listening', port: 3001 },
    null,
  ];
  for (const message of said) expect(worker.emit('internalMessage', message, 'handle')).toBe(true);
  worker.emit('message', { act: 'queryServer', port: 3002 }, undefined as never);
  expect(ports).toEqual([3000]);
  // The events go on as they were.
  expect(got).toEqual(said.map((message) => [message, 'handle']));
  expect(worker.emit('exit', 0, null)).toBe(false);
});

it('names the port, and shows no code of fw', () => {
  const { name, message, stack } = clusterError(3000);
  expect(name).toBe('ClusterError');
  expect(message).toContain(
    'the workers of node:cluster, which listen on port 3000: start the server without',
  );
  expect(stack).toBeUndefined();
});
