// In a thread of piscina, which asks a thread of its own.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { double } from './double.ts';

export default async function sum(numbers: readonly number[]): Promise<number> {
  const thread = new Worker(new URL('./square.ts', import.meta.url), { workerData: numbers });
  const [squares] = (await once(thread, 'message')) as [number[]];
  return double(squares.reduce((total, one) => total + one, 0));
}
