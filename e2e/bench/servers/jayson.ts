// The JSON-RPC workloads on jayson.
import { createServer } from 'node:http';
import jayson from 'jayson';
import { add } from './workloads.js';

const server = new jayson.Server({
  add(params: { a: number; b: number }, done: (error: null, result: object) => void) {
    done(null, add(params));
  },
});
createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as never;
    server.call(body, (error: unknown, answer: unknown) => {
      const text = JSON.stringify(error ?? answer);
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
      res.end(text);
    });
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
