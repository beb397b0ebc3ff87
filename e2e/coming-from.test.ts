// The pages for people who come from another framework: the small app in both answers alike, and both run side by side.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answering, freePort } from './free-port.js';
import { checkout, installFw, run, temporaryDirectory } from './packed.js';

let directory: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  directory = temporaryDirectory('fw-coming-from');
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  installFw(directory);
  const modules = join(directory, 'node_modules');
  for (const scope of ['@hono', '@trpc', '@orpc']) mkdirSync(join(modules, scope));
  for (const name of ['express', 'fastify', 'hono', '@hono/node-server', '@trpc/server', '@orpc/server']) {
    symlinkSync(join(checkout, 'e2e/bench/node_modules', name), join(modules, name));
  }
  symlinkSync(join(checkout, 'node_modules/zod'), join(modules, 'zod'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe.each(['express', 'fastify', 'hono'])('from %s', (name) => {
  it('the same app answers alike', async () => {
    const answers = await Promise.all(
      (['peer', 'app'] as const).map(async (part) => {
        const origin = await serving(name, part);
        return [
          await asked(`${origin}/users/1`),
          (await asked(`${origin}/users/7`)).status,
          await asked(`${origin}/users`, { name: 'Ben' }),
          (await asked(`${origin}/users`, { name: '' })).status,
          await asked(`${origin}/users/2`),
        ];
      }),
    );
    const wrong = name === 'fastify' ? 400 : 422;
    const expected = [{ status: 200, body: { id: '1', name: 'Ada' } }, 404];
    const added = { id: '2', name: 'Ben' };
    const after = [{ status: 201, body: added }, wrong, { status: 200, body: added }];
    expect(answers[0]).toEqual([...expected, ...after]);
    // The difference that the page of Fastify names.
    after[1] = 422;
    expect(answers[1]).toEqual([...expected, ...after]);
  });

  it('both run side by side', async () => {
    const origin = await serving(name, 'side');
    expect(await asked(`${origin}/api/v2/reports`)).toEqual({ status: 200, body: [{ id: 1 }] });
    const old = await fetch(`${origin}/old`);
    expect([old.status, (await old.text()).toLowerCase()]).toEqual([200, `from ${name}`]);
  });
});

describe.each(['trpc', 'orpc'])('from %s', (name) => {
  it.each(['peer', 'app'] as const)('the procedures of the %s answer as the page says', async (part) => {
    const result = await run(process.execPath, [written(name, part)], { cwd: directory });
    expect(result).toMatchObject({ stderr: '', exitCode: 0 });
  });
});

/** Writes a block of a page into a file. @returns its path */
function written(name: string, part: 'peer' | 'app' | 'side'): string {
  const page = readFileSync(join(checkout, `framework/docs/coming-from/${name}.md`), 'utf8');
  const [, code] = new RegExp(`^\`\`\`(?:js|ts) run=${part}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  if (code === undefined) throw new Error(`the page ${name} has no block run=${part}`);
  const file = join(directory, `${name}-${part}.js`);
  writeFileSync(file, transformSync(code, { loader: 'ts', target: 'node20' }).code);
  return file;
}

async function serving(name: string, part: 'peer' | 'app' | 'side'): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  children.push(spawn(process.execPath, [written(name, part)], { cwd: directory, env, stdio: 'inherit' }));
  const origin = `http://127.0.0.1:${port}`;
  await answering(origin);
  return origin;
}

async function asked(url: string, json?: unknown): Promise<{ status: number; body: unknown }> {
  const headers = { 'Content-Type': 'application/json' };
  const post = { method: 'POST', headers, body: JSON.stringify(json) };
  const response = await fetch(url, json === undefined ? {} : post);
  return { status: response.status, body: await response.json() };
}
