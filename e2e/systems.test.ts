// The day of a developer on another system than Linux: Windows by Wine here, macOS and Windows in their workflows.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import packageJson from '../package.json' with { type: 'json' };
import { freePort } from './free-port.js';
import { installFw, npm, packedTarball, scaffold, temporaryDirectory } from './packed.js';
import { ProgramThere, runThere, system, systemMissing } from './systems/system.js';

if (process.env.CI && systemMissing !== undefined) throw new Error(systemMissing);

const sha = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const carried = `vendor/fw-${packageJson.version}.tgz`;

/** Beside the procedures of the template: what every system does in its own way. */
const app = `import { App } from 'fw';
import { websocket } from 'fw/websocket';
import { rpc } from './rpc.ts';

const version: number = 1;
export const app = new App().maxBodySize(1024 * 1024);
app.mountRpc('/rpc', rpc);
app.get('/version', () => ({ version }));
app.get('/slow', async () => {
  await new Promise((done) => setTimeout(done, 3000));
  return { version };
});
app.serveStatic('/files', './public');
app.websocket('/echo', websocket({ onMessage: (socket, text) => void socket.send(\`\${version} \${text}\`) }));
`;

describe.skipIf(systemMissing !== undefined)(`fw on ${system.name}`, () => {
  let root: string;
  let binary: string;
  let session: ProgramThere;
  let url: string;
  const path = (name: string): string => join(root, name);
  const edit = (name: string, part: string, other: string): void => {
    const text = readFileSync(path(name), 'utf8');
    if (!text.includes(part)) throw new Error(`${name} does not hold ${part}`);
    writeFileSync(path(name), text.replace(part, other));
  };
  const json = async (name: string): Promise<unknown> => (await fetch(`${url}${name}`)).json();
  const changed = async (pattern: RegExp, change: () => void): Promise<void> => {
    const from = session.output.length;
    change();
    await session.says(pattern, from);
  };

  beforeAll(async () => {
    const parent = temporaryDirectory('fw-system');
    const tools = installFw(join(parent, 'tools'), packedTarball());
    const made = await runThere([tools, 'new', 'shop', '-t', 'rpc', '--no-install', '--no-git'], parent);
    expect(made, made.output).toMatchObject({ exitCode: 0 });
    root = join(parent, 'shop');
    const extra = ['ws@8', ...(system.typescript ? [`typescript@${system.typescript}`] : [])];
    npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...system.npmFlags, ...extra], root);
    binary = join(root, 'node_modules/fw/dist/cli/main.js');
    writeFileSync(path('src/app.ts'), app);
    mkdirSync(path('public'));
    writeFileSync(path('public/hello.txt'), 'hello');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    session = new ProgramThere([binary, 'dev', '--port', String(port)], root);
    await session.says(/ready in/);
  });
  afterAll(() => session?.end());

  test('fw new carries the same package as everywhere', async () => {
    const other = await scaffold({ install: false });
    expect(sha(path(carried))).toBe(sha(join(other, carried)));
  });

  test('the app answers, serves files, and holds a WebSocket', async () => {
    expect(await json('/version')).toEqual({ version: 1 });
    expect(await (await fetch(`${url}/files/hello.txt`)).text()).toBe('hello');
    for (const name of ['/files/..%5c..%5cpackage.json', '/files/nothing.txt', '/files/con']) {
      expect((await fetch(`${url}${name}`)).status, name).toBe(404);
    }
    expect(await echo('hello')).toBe('1 hello');
  });

  test('a save is seen, and loses no request', async () => {
    const slow = json('/slow');
    await changed(/app\.ts changed.*ready in/, () => edit('src/app.ts', 'number = 1', 'number = 2'));
    expect(await json('/version')).toEqual({ version: 2 });
    expect(await slow).toEqual({ version: 1 });
    expect(await echo('again')).toBe('2 again');
  });

  test('a field of a type in an imported file reaches the client', async () => {
    edit('src/tasks.ts', 'isDone: boolean;', 'isDone: boolean;\n  note?: string;');
    const patience = { timeout: 120_000 };
    await expect.poll(() => readFileSync(path('src/client.ts'), 'utf8'), patience).toContain('note?: string');
  });

  test('a build error is shown with its place, and the old code answers until it is fixed', async () => {
    const broken = () => edit('src/app.ts', 'number = 2;', 'number = ;');
    await changed(/src[\\/]app\.ts:\d+:\d+/, broken);
    expect(await json('/version')).toEqual({ version: 2 });
    await changed(/ready in/, () => edit('src/app.ts', 'number = ;', 'number = 3;'));
    expect(await json('/version')).toEqual({ version: 3 });
  });

  test('fw routes lists the routes, and fw generate --check takes CRLF', async () => {
    const routes = await runThere([binary, 'routes'], root);
    expect(routes, routes.output).toMatchObject({ exitCode: 0 });
    expect(routes.output).toMatch(/GET +\/version/);
    for (const name of ['src/client.ts', 'src/rpc-contract.json']) {
      writeFileSync(path(name), readFileSync(path(name), 'utf8').replace(/\r?\n/g, '\r\n'));
    }
    const checked = await runThere([binary, 'generate', '--check'], root);
    expect(checked, checked.output).toMatchObject({ exitCode: 0 });
  });

  async function echo(text: string): Promise<string> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/echo`);
    try {
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      const answer = new Promise<string>((resolve) =>
        socket.once('message', (data) => resolve(String(data))),
      );
      socket.send(text);
      return await answer;
    } finally {
      socket.close();
    }
  }
});
