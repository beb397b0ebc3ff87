// One tool, `add`, over HTTP, stateless. It speaks revisions before 2026-07-28.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'bench', version: '1.0.0' });
server.addTool({
  name: 'add',
  description: 'Adds.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => JSON.stringify({ sum: a + b }),
});
await server.start({
  transportType: 'httpStream',
  httpStream: { port: Number(process.env.PORT), host: '127.0.0.1', stateless: true },
});
console.log('ready');
