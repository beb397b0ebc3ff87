// Makes Node load its HTTP server in a waiting process, so that the first answer does not wait for that.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Node loads and compiles its HTTP server and the web classes behind `fetch` at their first use, which would
 * delay the first answer after a save by 20 ms. One request of this process to itself loads them in advance.
 */
export async function touchServerPath(): Promise<void> {
  void globalThis.Response;
  const server = http.createServer((request, response) =>
    request.resume().on('end', () => response.end('x')),
  );
  await new Promise<void>((settle) => {
    server.once('error', () => settle());
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      http
        .request({ host: '127.0.0.1', port, method: 'POST', agent: false }, (response) => response.resume())
        .on('error', () => settle())
        .on('close', settle)
        .end('x');
    });
  });
  await new Promise((settle) => server.close(settle));
}
