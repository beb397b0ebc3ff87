// One tool, `add`, over HTTP.
import { z } from 'zod';
import { App } from '../../../dist/framework/index.js';
import { RpcRegistry } from '../../../dist/framework/rpc/index.js';

const rpc = new RpcRegistry().query(
  'add',
  {
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    mcp: true,
  },
  ({ a, b }) => ({ sum: a + b }),
);
const { url } = await new App()
  .mountMcp('/mcp', rpc, { name: 'bench', version: '1.0.0' })
  .listen(`127.0.0.1:${process.env.PORT}`);
console.log(url);
