// The JSON-RPC workloads on jayson.
import { createServer } from 'node:http';
import jayson from 'jayson/promise/index.js';
import { add } from './workloads.js';

const server = new jayson.Server({ add: async (params: { a: number; b: number }) => add(params) });
createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', async () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as never;
    const text = JSON.stringify(await server.call(body));
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    res.end(text);
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
