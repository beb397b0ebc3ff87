// One tool, `add`, over HTTP, as the documentation of the official server has it: stateless, both revisions.
import { createServer, type RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      description: 'Adds.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }: { a: number; b: number }) => {
      const result = { sum: a + b };
      return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
    },
  );
  return server;
});
createServer(toNodeHandler(handler) as RequestListener).listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log('ready'),
);
