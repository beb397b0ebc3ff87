// The client and `fw dev`: the packed package, an app of the template rpc, and a frontend whose client is never outdated.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { allGone, type DevSession, startDev } from './dev-session.js';
import { runFw, scaffold } from './packed.js';
import { keys, openTerminal, terminalMissing } from './terminal.js';
import { threeStyles } from './three-styles.js';

let app: string;
let client: string;
let contract: string;
let procedures: string;
let sound: Map<string, string>;
let session: DevSession | undefined;

beforeAll(async () => {
  app = await scaffold({ template: 'rpc', name: 'tasks' });
  client = join(app, 'src/client.ts');
  contract = join(app, 'src/rpc-contract.json');
  procedures = join(app, 'src/rpc.ts');
  writeFileSync(procedures, threeStyles);
  const generated = await runFw(['generate'], {
    cwd: app,
    binary: join(app, 'node_modules/fw/dist/cli/main.js'),
  });
  expect(generated, generated.stderr).toMatchObject({ exitCode: 0 });
  sound = new Map(sources().map((file) => [file, readFileSync(file, 'utf8')]));
});

afterEach(async () => {
  if (session?.child.exitCode === null) await session.end('SIGKILL');
  session = undefined;
  for (const [file, text] of sound) writeFileSync(file, text);
  rmSync(join(app, 'src/notes.ts'), { force: true });
});

describe('fw dev with a client', () => {
  it('has written it when the new server answers, for every way to give types', async () => {
    const { port } = await startGenerated();
    // Types in TypeScript: the contract changes, which is part of the server's build.
    edit(procedures, 'input: { id: number }', 'input: { id: number; note: string }');
    await answersOf(port, 'finishTask', { id: 1 }, -32602);
    await clientHas('note: string');
    expect(text(contract)).toContain('note: string');
    edit(procedures, 'title: z.string()', 'due: z.string(), title: z.string()');
    await answersOf(port, 'addTask', { title: 'x' }, -32602);
    await clientHas('due: string');
    edit(procedures, "'{ all: number; done: number }'", "'{ all: number; done: number; late: 0 }'");
    edit(procedures, "'countTasks'", "'countAll'");
    await answersOf(port, 'countTasks', undefined, -32601);
    await clientHas('late: 0');
    await clientHas('  countAll(');
    expect(printed()).toMatch(/src\/client\.ts written · 1 procedure changed\n/);
    expect(printed()).toContain('breaks older clients: finishTask.input.note: new required field\n');
    // One cycle for each save: generated files do not cause another.
    expect(cycles()).toBeLessThanOrEqual(4);
    expect(printed()).not.toContain('src/client.ts changed');
    expect(printed()).not.toContain('rpc-contract.json changed');
  });

  it('ends with the last of several saves in quick succession', async () => {
    const { port } = await startGenerated();
    for (let index = 1; index <= 8; index += 1) {
      const file = sound.get(procedures) ?? '';
      writeFileSync(procedures, file.replace('{ id: number }', `{ id: number; note${index}: string }`));
      await new Promise((later) => setTimeout(later, index * 9));
    }
    await answersOf(port, 'finishTask', { id: 1 }, -32602, 'note8');
    await clientHas('note8: string');
  });

  it('notices a new file with procedures', async () => {
    const { port } = await startGenerated();
    writeFileSync(
      join(app, 'src/notes.ts'),
      "import { rpc } from './rpc.ts';\nrpc.query('notes', async (input: { of: number }) => [input.of]);\n",
    );
    for (const file of ['generate-client.ts', 'app.ts'])
      edit(
        join(app, 'src', file),
        "import { rpc } from './rpc.ts';",
        "import { rpc } from './rpc.ts';\nimport './notes.ts';",
      );
    await answersOf(port, 'notes', {}, -32602);
    await clientHas('  notes(');
  });

  it('does not write it if its types are unchanged, and ignores other files', async () => {
    const { port, says } = await startGenerated();
    const before = [client, contract].map((file) => statSync(file).mtimeMs);
    edit(procedures, 'there is no task', 'nobody knows task');
    await answersOf(port, 'finishTask', { id: 77 }, -32000, 'nobody knows task 77');
    const from = printed().length;
    edit(join(app, 'src/app.ts'), '\n', '\n// A comment.\n');
    await says(/src\/app\.ts changed .* ready in/, from);
    expect([client, contract].map((file) => statSync(file).mtimeMs)).toEqual(before);
    expect(printed().match(/written/g)).toHaveLength(1);
  });

  it('reports types that cannot be sent as JSON once, keeps the client, and answers with the new code', async () => {
    const { port, says } = await startGenerated();
    const before = text(client);
    edit(
      procedures,
      '// 3.',
      "rpc.query('seen', async (input: { at: Map<string, number> }) => input.at.size);\n// 3.",
    );
    await says(/client: not generated[\s\S]*error: .*Map[\s\S]*src\/rpc\.ts:\d+:\d+[\s\S]*left unchanged/);
    edit(procedures, 'there is no task', 'nobody knows task');
    await answersOf(port, 'finishTask', { id: 77 }, -32000, 'nobody knows task 77');
    expect(text(client)).toBe(before);
    expect(printed().match(/client: not generated/g)).toHaveLength(1);
    edit(procedures, 'Map<string, number> }) => input.at.size', 'string }) => input.at.length');
    await says(/client: no errors/);
    await clientHas('  seen(');
  });

  it('reports a program that fails with its place, and one that hangs', async () => {
    const { says } = await startGenerated();
    const program = join(app, 'src/generate-client.ts');
    writeFileSync(program, `${sound.get(program)}\nthrow new Error('not today');\n`);
    await says(/client: not generated[\s\S]*Error: not today[\s\S]*src\/generate-client\.ts:\d+:\d+/);
    const from = printed().length;
    writeFileSync(program, 'setInterval(() => {}, 1000);\nawait new Promise(() => {});\n');
    await says(/client: not ready after 3 s, fw dev goes on without it[\s\S]*ready in/, from);
  });

  it('writes a missing client and its contract', async () => {
    writeFileSync(client, '');
    writeFileSync(contract, '{ "version": 2, "procedures": {}, "named": {} }');
    const { says } = await start();
    await says(/src\/client\.ts written[\s\S]*rpc-contract\.json written · .*ready in/);
    expect(text(client)).toBe(sound.get(client));
    expect(text(contract)).toBe(sound.get(contract));
  });

  it('starts no generator if there is no client to update', async () => {
    const settings = join(app, 'fw.toml');
    writeFileSync(settings, (sound.get(settings) ?? '').replace(/^output_path.*$/m, ''));
    const { port, descendants } = await start();
    edit(procedures, 'input: { id: number }', 'input: { id: number; note: string }');
    edit(procedures, 'there is no task', 'nobody knows task');
    await answersOf(port, 'finishTask', { id: 77 }, -32000, 'nobody knows task 77');
    expect(text(client)).toBe(sound.get(client));
    expect(descendants().filter((pid) => commandOf(pid).includes('generate'))).toEqual([]);
  });

  it('replaces a generator that was killed, and ends the processes of the old one', async () => {
    if (process.platform !== 'linux') return;
    const { port, descendants } = await startGenerated();
    const generator = descendants().find((pid) => commandOf(pid).includes('generate/generator'));
    if (generator === undefined) throw new Error('there is no generator');
    const started = descendantsOf(generator, descendants());
    expect(started.length).toBeGreaterThan(1);
    process.kill(generator, 'SIGKILL');
    await allGone([generator, ...started]);
    edit(procedures, 'input: { id: number }', 'input: { id: number; note: string }');
    await answersOf(port, 'finishTask', { id: 1 }, -32602);
    await clientHas('note: string');
  });

  it('runs as many processes after 20 saves as before, and leaves none behind', async () => {
    const { port, descendants, end } = await startGenerated();
    const before = await steady(() => descendants().length);
    expect(before).toBeGreaterThan(4);
    for (let index = 1; index <= 20; index += 1) {
      const file = sound.get(procedures) ?? '';
      writeFileSync(procedures, file.replace('there is no task', `${index} says no to`));
      await answersOf(port, 'finishTask', { id: 77 }, -32000, `${index} says no to 77`);
    }
    // The check of types may still run.
    await expect.poll(() => descendants().length, { timeout: 60_000 }).toBeLessThanOrEqual(before);
    const pids = descendants();
    expect((await end('SIGINT')).code).toBe(130);
    await allGone(pids);
    expect(readdirSync(join(app, 'node_modules/.fw')).filter((name) => name.startsWith('dev-'))).toEqual([]);
  });

  it('leaves no process behind after SIGKILL', async () => {
    const { descendants, end } = await startGenerated();
    const pids = descendants();
    await end('SIGKILL');
    await allGone(pids);
  });

  it.skipIf(terminalMissing() !== undefined)('ends without an error by Ctrl+C at a terminal', async () => {
    const { see, type, end } = openTerminal(
      [process.execPath, join(app, 'node_modules/fw/dist/cli/main.js'), 'dev', '--port', '0'],
      app,
    );
    await see('ready in');
    edit(procedures, 'input: { id: number }', 'input: { id: number; note: string }');
    await see('src/client.ts written');
    await see('ready in');
    type(keys.ctrlC);
    const { exitCode, output } = await end();
    expect(exitCode).toBe(130);
    expect(output.slice(output.lastIndexOf('ready in'))).toMatch(/^ready in \d+ ms\s*(\^C)?\s*$/);
  });
});

async function start(): Promise<DevSession> {
  session = await startDev({ app });
  return session;
}

/** Starts it and waits until the first generation is done, for which no cycle waits. */
async function startGenerated(): Promise<DevSession> {
  writeFileSync(client, `${sound.get(client)}\n`);
  const started = await start();
  await started.says(/src\/client\.ts written/);
  expect(text(client)).toBe(sound.get(client));
  return started;
}

function printed(): string {
  return session?.printed() ?? '';
}

function cycles(): number {
  return printed().match(/changed · .*ready in/g)?.length ?? 0;
}

function text(file: string): string {
  return readFileSync(file, 'utf8');
}

/** Under load, `fw dev` goes on without a client that takes longer than 3 s, says so, and writes it later. */
async function clientHas(part: string): Promise<void> {
  if (printed().includes('client: not ready after'))
    await expect.poll(() => text(client), { timeout: 60_000 }).toContain(part);
  expect(text(client)).toContain(part);
}

/** Replaces a part of a file, which must exist. */
function edit(file: string, part: string, other: string): void {
  if (!text(file).includes(part)) throw new Error(`${file} does not hold ${part}`);
  writeFileSync(file, text(file).replace(part, other));
}

function sources(): string[] {
  const inside = readdirSync(join(app, 'src')).map((name) => join(app, 'src', name));
  return [...inside, join(app, 'fw.toml')];
}

/** Calls until the server responds with this error, which shows that the new code is running. */
async function answersOf(
  port: number,
  method: string,
  params: unknown,
  code: number,
  message = '',
): Promise<void> {
  let last: unknown;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    last = await response.json();
    const { error } = last as { error?: { code: number; message: string } };
    if (error?.code === code && error.message.includes(message)) return;
  }
  throw new Error(`${method} never gave ${code} ${message}, but ${JSON.stringify(last)}:\n${printed()}`);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The processes among `pids` that `parent` has started, directly or not. */
function descendantsOf(parent: number, pids: readonly number[]): number[] {
  const parentOf = (pid: number): number | undefined => {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      // It has ended meanwhile.
      return undefined;
    }
  };
  const found = pids.filter((pid) => parentOf(pid) === parent);
  return found.flatMap((pid) => [pid, ...descendantsOf(pid, pids)]);
}

/** A count that has not changed for a while, because spare processes are started after the response. */
async function steady(count: () => number): Promise<number> {
  let last = count();
  let since = Date.now();
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    if (Date.now() - since > 1500) return last;
    await new Promise((later) => setTimeout(later, 100));
    const now = count();
    if (now !== last) since = Date.now();
    last = now;
  }
  throw new Error(`the number of processes never came to rest, last it was ${last}`);
}
