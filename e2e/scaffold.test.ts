// From the packed package to a running app: scaffold, install, test, check, build, start, stop.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { fwCommands } from '../templates/agents.js';
import { answering, freePort } from './free-port.js';
import { checkout, npm, run, runFw, scaffold, temporaryDirectory } from './packed.js';
import { openTerminal, terminalMissing } from './terminal.js';

describe('an app of the basic template', () => {
  let app: string;

  beforeAll(async () => {
    app = await scaffold({ template: 'basic', name: 'first-app' });
  });

  test('has its own name', () => {
    expect(manifest(app).name).toBe('first-app');
    expect(readFileSync(join(app, 'README.md'), 'utf8')).toMatch(/^# first-app\n/);
    expect(readFileSync(join(app, 'fw.toml'), 'utf8')).toContain('name = "first-app"');
    expect(readFileSync(join(app, '.gitignore'), 'utf8')).toContain('node_modules/');
  });

  test('passes its tests and its type check', () => {
    expect(npm(['test'], app)).toMatch(/Tests +(\d+) passed \(\1\)/);
    npm(['run', 'typecheck'], app);
  });

  test('passes the checks that its AGENTS.md names', async () => {
    npm(['run', 'lint'], app);
    const commands = fwCommands(readFileSync(join(app, 'AGENTS.md'), 'utf8'));
    // `fw upgrade` needs a package, and `fw mcp` and `fw fuzz` an app that runs: mcp-dev.test.ts and fuzz.test.ts have one.
    const ending = commands.filter(([command = '']) => !['upgrade', 'mcp', 'fuzz'].includes(command));
    expect(ending.map(([command]) => command)).toEqual(expect.arrayContaining(['docs', 'routes']));
    for (const words of ending) {
      const binary = join(app, 'node_modules/fw/dist/cli/main.js');
      const result = await run(process.execPath, [binary, ...words], { cwd: app });
      expect(result, `${words.join(' ')}: ${result.stderr}`).toMatchObject({ exitCode: 0 });
      expect(result.stdout).not.toBe('');
    }
  });

  test('builds, starts, answers, and finishes requests in flight on SIGTERM', async () => {
    npm(['run', 'build'], app);
    const port = await freePort();
    const server = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
      cwd: app,
      env: { ...process.env, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    const base = `http://127.0.0.1:${port}`;
    await answering(base);
    expect(await (await fetch(`${base}/hello/Ada`)).json()).toEqual({ message: 'Hello, Ada!' });
    expect((await fetch(`${base}/notes/404`)).status).toBe(404);

    const inFlight = slowPost(port);
    await inFlight.begun;
    server.kill('SIGTERM');
    expect(await inFlight.finish()).toContain('201');
    expect(await ended).toEqual([0, null]);
  });

  test.skipIf(terminalMissing())('takes its time to start, and commands say so on a terminal', async () => {
    const main = join(app, 'src/main.ts');
    const before = readFileSync(main, 'utf8');
    writeFileSync(main, `await new Promise((done) => setTimeout(done, 2500));\n${before}`);
    const binary = join(app, 'node_modules/fw/dist/cli/main.js');
    const routes = openTerminal([process.execPath, binary, 'routes'], app, { CI: '' });
    await routes.see('Starting the app …\r\n');
    expect(await routes.end()).toMatchObject({ exitCode: 0 });
    const doctor = openTerminal([process.execPath, binary, 'doctor'], app, { CI: '' });
    await doctor.see('Starting the app …\r\n');
    await doctor.end();
    expect((await run(process.execPath, [binary, 'routes'], { cwd: app })).stderr).not.toContain('Starting');
    writeFileSync(main, before);
  });

  test('exits with 1 if its port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const result = await run(process.execPath, ['dist/main.js'], { cwd: app, env: { PORT: String(port) } });
    holder.close();
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain(`127.0.0.1:${port}`);
  });
});

describe('another fw', () => {
  test('is linked to a clone, or comes from a registry, by its flag', async () => {
    const spec = async (binary: string | undefined, flag: string): Promise<string | undefined> => {
      const parent = temporaryDirectory();
      const args = ['new', 'my-app', '-t', 'basic', '--no-install', '--no-git', flag];
      const result = await runFw(args, { cwd: parent, ...(binary !== undefined && { binary }) });
      expect(result, result.stderr).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(parent, 'my-app/vendor'))).toBe(false);
      return manifest(join(parent, 'my-app')).dependencies.fw;
    };
    expect(await spec(undefined, '--from-registry')).toBe(`^${packageJson.version}`);
    expect(await spec(join(checkout, 'dist/cli/main.js'), '--link')).toBe(`file:${checkout}`);
    const refused = await runFw(['new', 'x', '-t', 'basic', '--link'], { cwd: temporaryDirectory() });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--link needs a clone of fw, and this one is installed in');
  });
});

function manifest(directory: string): { name: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

/** A POST whose body is complete only when `finish` is called. */
function slowPost(port: number): { begun: Promise<void>; finish(): Promise<string> } {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  const begun = new Promise<void>((resolve) => {
    socket.on('data', (text) => {
      answer += text;
      if (answer.includes('100 Continue')) resolve();
    });
  });
  const head =
    'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n';
  socket.write(`${head}Content-Length: 15\r\n\r\n`);
  return {
    begun,
    async finish() {
      socket.write('{"text":"late"}');
      await once(socket, 'close');
      return answer;
    },
  };
}
