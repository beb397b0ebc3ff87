// How `fw mcp` asks the running `fw dev`: with the token of the project, which it may require.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { builtBinary, makeWorkspace } from '../dev/trial-session.js';
import { tokenOf } from '../dev/workbench/token-file.js';
import { makeOutDirOf } from '../process/running-dev.js';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

it('passes messages on with the token, and answers itself when fw dev has ended', async () => {
  const root = makeWorkspace({ 'package.json': '{}' });
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    asked.push(`${request.method} ${request.url} ${body}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"jsonrpc":"2.0","id":1,"result":{"by":"fw dev"}}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  makeOutDirOf(root, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  const child = spawn(process.execPath, [await builtBinary(), 'mcp'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    child.stdin.write(`${ping}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
  expect(await answer()).toMatchObject({ result: { by: 'fw dev' } });
  expect(asked).toEqual([`POST /_fw/mcp?token=${tokenOf(root)} ${ping}`]);

  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  expect(await answer()).toMatchObject({ id: 1, result: {} });
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  rmSync(root, { recursive: true, force: true });
});
