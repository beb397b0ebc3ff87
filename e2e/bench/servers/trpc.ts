// The RPC workloads on tRPC with its standalone handler: calls in its own form, a batch by its own batching.
import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { add } from './workloads.js';

const t = initTRPC.create();
const router = t.router({
  add: t.procedure.input(z.object({ a: z.number(), b: z.number() })).mutation(({ input }) => add(input)),
});
createHTTPServer({ router, basePath: '/trpc/' }).listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log('ready'),
);
