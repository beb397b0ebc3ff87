// The RPC workloads on oRPC with its handler for Node.js: calls in its own form, a batch by its own plugin.
import { createServer } from 'node:http';
import { os } from '@orpc/server';
import { RPCHandler } from '@orpc/server/node';
import { BatchHandlerPlugin } from '@orpc/server/plugins';
import { z } from 'zod';
import { add as sum } from './workloads.js';

const add = os.input(z.object({ a: z.number(), b: z.number() })).handler(({ input }) => sum(input));
const handler = new RPCHandler(
  { add },
  { plugins: [new BatchHandlerPlugin({ maxSize: 100, successStatus: 200 })] },
);
createServer(async (req, res) => {
  const { matched } = await handler.handle(req, res, { prefix: '/orpc', context: {} });
  if (!matched) res.writeHead(404).end();
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
