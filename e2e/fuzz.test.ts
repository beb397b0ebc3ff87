// fw fuzz: nothing in a new app that fw dev serves, a planted fault, a server of another kind by its document, and what
// it refuses to call.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DevSession, save, startDev } from './dev-session.js';
import { installedFw, runFw, scaffold, temporaryDirectory } from './packed.js';

interface Report {
  readonly address: string;
  readonly seed: number;
  readonly requests: number;
  readonly operations: readonly { readonly name: string; readonly accepted: number }[];
  readonly failures: readonly {
    readonly operation: string;
    readonly check: string;
    readonly caller: string;
  }[];
}

describe('an app of the template basic', () => {
  let app: string;
  let session: DevSession | undefined;
  const fuzz = (...args: string[]) => runFw(['fuzz', ...args], { cwd: app });

  beforeAll(async () => {
    app = await scaffold();
  });
  afterAll(async () => {
    await session?.end('SIGTERM');
  });

  test('is not called before fw dev runs, which is said with the remedy', async () => {
    expect(await fuzz()).toEqual({
      exitCode: 1,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/^error: fw dev does not run in .+\nhelp: .*npm run dev.*\n$/),
    });
    const nobody = await fuzz('http://127.0.0.1:2');
    expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
    expect(nobody.stderr).toContain('error: no server answers at http://127.0.0.1:2: ');
    expect(existsSync(join(app, 'node_modules/.fw')), 'a folder is left behind').toBe(false);
  });

  test('has nothing that breaks it', async () => {
    session = await startDev({ app });
    const found = await fuzz();
    expect(found, found.stdout).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = found.stdout.split('\n');
    expect(lines[0]).toBe(`http://127.0.0.1:${session.port}`);
    expect(found.stdout).toMatch(/^POST \/notes +\d+ requests, [1-9]\d* accepted$/m);
    expect(lines.at(-2)).toMatch(/^nothing found in \d+ requests to 5 operations; seed: \d+$/);
  });

  test('is reported as JSON, by operations and seed', async () => {
    const { exitCode, stdout, stderr } = await fuzz(
      '--json',
      '--seed',
      '5',
      '--runs',
      '2',
      '--only',
      '* /notes',
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({ address: `http://127.0.0.1:${session?.port}`, seed: 5, failures: [] });
    expect(report.operations.map(({ name }) => name).sort()).toEqual(['GET /notes', 'POST /notes']);
    const unknown = await fuzz('--json', '--only', 'GET /note');
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain("error: no operation is called 'GET /note'; there are GET /,");
  });

  test('with a planted fault is found out, by a request that repeats it', async () => {
    if (session === undefined) throw new Error('fw dev does not run');
    const file = join(app, 'src/notes.ts');
    const planted = readFileSync(file, 'utf8').replace(
      'const note: Note =',
      "if (text.length > 40) throw new Error('the column is full');\n  const note: Note =",
    );
    await session.says(/ready in/, save(session, file, planted));
    const found = await fuzz();
    expect(found).toMatchObject({ exitCode: 1, stderr: '' });
    expect(found.stdout).toContain('1) POST /notes: server error');
    const [, body = ''] = /--data-raw '(\{"text":"[^']+"\})'/.exec(found.stdout) ?? [];
    const response = await fetch(`http://127.0.0.1:${session.port}/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(500);
    const [, seed = ''] = /^to repeat it: npx fw fuzz --seed (\d+)$/m.exec(found.stdout) ?? [];
    const again = await fuzz('--json', '--seed', seed);
    expect(again.exitCode).toBe(1);
    const { failures } = JSON.parse(again.stdout) as Report;
    expect(failures).toEqual([
      expect.objectContaining({ operation: 'POST /notes', check: 'server error', caller: 'nobody' }),
    ]);
  });
});

describe('a server of another kind', () => {
  const tokens = { one: 'first-token-1', two: 'second-token-2' };
  const things = new Map<string, { id: string; name: string }>();
  const heard = new Set<string>();
  let address: string;
  let document: string;
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/openapi.json') return send(200, description);
    const authorization = request.headers.authorization ?? '';
    heard.add(authorization);
    const isKnown = Object.values(tokens).some((token) => authorization === `Bearer ${token}`);
    if (request.url === '/') return send(200, {});
    if (!isKnown) return send(401, { error: 'who?' });
    if (request.method === 'POST') {
      request.resume();
      const thing = { id: crypto.randomUUID(), name: `made by ${authorization.slice(7, 12)}` };
      things.set(thing.id, thing);
      return send(201, thing);
    }
    // Whose it is was forgotten.
    const thing = things.get((request.url ?? '').slice('/things/'.length));
    return thing === undefined ? send(404, {}) : send(200, thing);
  }

  const thing = {
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
    required: ['id', 'name'],
  };
  const answers = (status: number) => ({
    [status]: { description: 'OK', content: { 'application/json': { schema: thing } } },
    401: { description: 'nobody' },
    404: { description: 'none' },
  });
  const description = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    // Where it runs in production, which must not be called.
    servers: [{ url: 'http://203.0.113.1/' }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/things': { post: { responses: answers(201) } },
      '/things/{id}': {
        get: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          ],
          responses: answers(200),
        },
      },
    },
  };

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    document = join(temporaryDirectory('fw-fuzz'), 'openapi.json');
    writeFileSync(document, JSON.stringify(description));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('is called by its document, and what accepted nothing is named', async () => {
    const found = await runFw(['fuzz', address, '--document', document]);
    expect(found).toMatchObject({ exitCode: 0, stderr: '' });
    expect(found.stdout).toMatch(/^POST \/things +\d+ requests, 0 accepted$/m);
    expect(found.stdout).toContain(
      'warning: 2 operations accepted none: what is behind their checks was not tried',
    );
    expect(found.stdout).toContain("help: sign in with --header 'Authorization: Bearer …'");
  });

  test('is called by those whose header fields are given, and what belongs to one is kept from the other', async () => {
    const header = (token: string): string => `Authorization: Bearer ${token}`;
    const args = ['-H', header(tokens.one), '--other-header', header(tokens.two)];
    const found = await runFw(['fuzz', address, '--document', `${address}/openapi.json`, ...args]);
    expect(found).toMatchObject({ exitCode: 1, stderr: '' });
    expect(found.stdout).toContain('GET /things/:id: other users (as other)');
    expect(found.stdout).toMatch(/npx fw fuzz --seed \d+, with the same address and options$/m);
    for (const token of Object.values(tokens)) {
      expect(heard).toContain(`Bearer ${token}`);
      expect(found.stdout).not.toContain(token);
    }
  });

  test('is left at Ctrl+C, with a word about what was sent', async () => {
    const args = ['fuzz', address, '--document', document, '-H', `Authorization: Bearer ${tokens.one}`];
    const child = spawn(process.execPath, [installedFw(), ...args, '--runs', '100000']);
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text;
      });
    const before = things.size;
    await expect.poll(() => things.size).toBeGreaterThan(before);
    child.kill('SIGINT');
    const [code, signal] = await once(child, 'close');
    expect([code, signal]).toEqual([130, null]);
    expect(printed).toEqual({
      stdout: '',
      stderr: `cancelled: requests until now may have changed the data of ${address}\n`,
    });
  });

  test('that a request ends is found out', async () => {
    const dying = createServer((request, response) => {
      if (request.method === 'POST') request.socket.destroy();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ id: 1, name: '' }));
    });
    dying.listen(0, '127.0.0.1');
    await once(dying, 'listening');
    const url = `http://127.0.0.1:${(dying.address() as { port: number }).port}`;
    const found = await runFw(['fuzz', url, '--document', document, '--only', 'POST /things', '--json']);
    dying.closeAllConnections();
    dying.close();
    expect(found).toMatchObject({ exitCode: 1, stderr: '' });
    const { failures } = JSON.parse(found.stdout) as Report;
    expect(failures).toEqual([expect.objectContaining({ operation: 'POST /things', check: 'no answer' })]);
  });

  test('is not called where it is not on this machine, unless that is allowed', async () => {
    const refused = await runFw(['fuzz', 'http://203.0.113.1', '--document', document]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^error: http:\/\/203\.0\.113\.1 is not on this machine: .+\nhelp: .*--allow-remote/,
    );
    const noDocument = await runFw(['fuzz', address, '--document', `${document}.old`]);
    expect(noDocument).toMatchObject({ exitCode: 1, stdout: '' });
    expect(noDocument.stderr).toMatch(/^error: cannot read the document: .*openapi\.json\.old/);
  });
});
