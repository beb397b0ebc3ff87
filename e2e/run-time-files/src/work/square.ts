import { parentPort, workerData } from 'node:worker_threads';

const square = (value: number): number => value ** 2;
parentPort?.postMessage((workerData as number[]).map(square));
