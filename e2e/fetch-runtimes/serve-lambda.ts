// Runs on Node.js: serves the App of every case as a function of AWS Lambda, on a port of its own, which makes an event
// of each request as a function URL does, and a response of the result.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { areas } from '../../framework/conformance/areas.js';
import { handle, type LambdaHandler } from '../../framework/runtime/lambda/index.js';

const ports: Record<string, number[]> = {};
for (const [area, cases] of Object.entries(areas)) {
  ports[area] = [];
  for (const one of cases) ports[area].push(await portOf(handle(one.app())));
}
console.log(JSON.stringify(ports));

function portOf(handler: LambdaHandler): Promise<number> {
  const server = createServer({ joinDuplicateHeaders: true }, (incoming, outgoing) => {
    eventOf(incoming)
      .then((event) => handler(event, {}))
      .then((result) => send(result, outgoing))
      .catch(() => outgoing.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

async function eventOf(incoming: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method, url = '', headers, socket } = incoming;
  const [, rawPath = '', rawQueryString = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const { cookie, ...rest } = headers;
  return {
    version: '2.0',
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    ...(cookie !== undefined && { cookies: [cookie] }),
    requestContext: { domainName: 'localhost', http: { method, sourceIp: socket.remoteAddress } },
    body: Buffer.concat(chunks).toString('base64'),
    isBase64Encoded: true,
  };
}

function send(
  { statusCode, headers = {}, cookies = [], body, isBase64Encoded }: Awaited<ReturnType<LambdaHandler>>,
  outgoing: ServerResponse,
): void {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  outgoing.writeHead(statusCode);
  outgoing.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}
