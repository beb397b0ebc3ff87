// What a user does with a package from a registry: from `npx fw@latest` in an empty directory to an app that is built,
// started, edited and upgraded, and with every package manager. The registry is on loopback. Every template with every
// package manager is a journey of the tarball (install.test.ts).
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { startDev } from './dev-session.js';
import { statusOfFirstPage } from './first-page.js';
import { packedTarball, type RunResult, run, temporaryDirectory } from './packed.js';
import { type LocalRegistry, startRegistry, toolPaths } from './registry/local-registry.js';

if (process.env.CI && toolPaths === undefined) throw new Error('npm ci --prefix e2e/registry was not run');
const next = packageJson.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const lockFiles = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock', bun: 'bun.lock' };
type Manager = keyof typeof lockFiles;

describe.skipIf(toolPaths === undefined)('the published package', () => {
  let registry: LocalRegistry;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = temporaryDirectory('fw-registry');
    mkdirSync(join(folder, 'home'));
    registry = await startRegistry(folder);
    registry.publish(packedTarball(), packageJson.version);
    env = {
      HOME: join(folder, 'home'),
      PATH: [...(toolPaths ?? []), process.env.PATH].join(':'),
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'cache'),
      // Of yarn, and of bun.
      YARN_REGISTRY: registry.url,
      YARN_CACHE_FOLDER: join(folder, 'yarn'),
      BUN_CONFIG_REGISTRY: registry.url,
      BUN_INSTALL_CACHE_DIR: join(folder, 'bun'),
      // pnpm asks before it removes a node_modules.
      CI: '1',
      PORT: '',
    };
  });
  afterAll(() => registry?.close());

  const empty = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };

  function user(cwd: string, command: string, ...args: string[]): Promise<RunResult> {
    return userWith(env, cwd, command, ...args);
  }

  async function userWith(
    env: NodeJS.ProcessEnv,
    cwd: string,
    command: string,
    ...args: string[]
  ): Promise<RunResult> {
    const result = await run(command, args, { cwd, env });
    expect(result.exitCode, `${command} ${args.join(' ')}\n${result.stdout}\n${result.stderr}`).toBe(0);
    return result;
  }

  /** npx would ask again, for every app, for each of the fifty packages that the optional peers of fw lead to. */
  function makes(place: string, command: string, ...args: string[]): Promise<RunResult> {
    const once = command === 'npx' ? { ...env, npm_config_prefer_offline: 'true' } : env;
    return userWith(once, place, command, ...args);
  }

  /** Its own checks, as scaffolded. */
  async function passes(app: string, manager: Manager): Promise<void> {
    await user(app, manager, 'run', 'typecheck');
    await user(app, manager, 'run', 'lint');
    const { stdout } = await user(app, manager, 'run', 'test');
    expect(stdout).toMatch(/Tests +(\d+) passed/);
    await user(app, manager, 'run', 'build');
  }

  /** `fw dev` of the installed package answers, and answers again after an edit. */
  async function developed(app: string): Promise<void> {
    const session = await startDev({ app, env });
    try {
      const from = session.printed().length;
      appendFileSync(join(app, 'src/app.ts'), '// edited\n');
      await session.says(/src\/app\.ts changed.*ready in/, from);
      const { status } = await fetch(`http://127.0.0.1:${session.port}/`, {
        headers: { accept: 'text/html' },
      });
      expect(status).toBeLessThan(500);
    } finally {
      await session.end('SIGTERM');
    }
  }

  test.each(['basic', 'rpc'])(
    'npx fw@latest makes a %s that is checked, built, started and edited',
    async (template) => {
      const place = empty(`npx-${template}`);
      const { stdout } = await makes(
        place,
        'npx',
        '--yes',
        'fw@latest',
        'new',
        'myapp',
        '-t',
        template,
        '--yes',
        '--from-registry',
      );
      expect(stdout).toContain(`Created myapp from the template ${template}`);
      const app = join(place, 'myapp');
      const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
      expect(dependencies.fw).toBe(`^${packageJson.version}`);
      await passes(app, 'npm');
      const all = { ...process.env, ...env };
      expect(await statusOfFirstPage(['npm', 'run', 'start'], app, all)).toBeLessThan(500);
      // The build needs nothing beside it.
      cpSync(join(app, 'dist'), join(place, 'alone/dist'), { recursive: true });
      const alone = [process.execPath, 'dist/main.js'];
      expect(await statusOfFirstPage(alone, join(place, 'alone'), all)).toBe(200);
      await developed(app);
    },
  );

  const others: readonly Manager[] = ['pnpm', 'yarn', 'bun'];
  test.each(others)('with %s, an app passes its own checks', { timeout: 600_000 }, async (manager) => {
    const [command, ...first] = {
      pnpm: ['pnpm', 'dlx'],
      yarn: ['npx', '--yes'],
      bun: ['bun', 'x'],
      npm: [],
    }[manager] as [string, ...string[]];
    const chosen = manager === 'yarn' ? ['--package-manager', 'yarn'] : [];
    const place = empty(`${manager}-basic`);
    const words = ['fw@latest', 'new', 'myapp', '-t', 'basic', '--yes', '--from-registry', ...chosen];
    await makes(place, command, ...first, ...words);
    const app = join(place, 'myapp');
    expect(existsSync(join(app, lockFiles[manager]))).toBe(true);
    await passes(app, manager);
  });

  test('an app is upgraded to the next version', async () => {
    const app = join(folder, 'npx-rpc/myapp');
    registry.publish(packedTarball(), next);
    await user(app, 'npm', 'install', 'fw@latest', '--prefer-online');
    const installed = JSON.parse(readFileSync(join(app, 'node_modules/fw/package.json'), 'utf8'));
    expect(installed.version).toBe(next);
    await passes(app, 'npm');
    const { findings, errors } = JSON.parse((await user(app, 'npx', 'fw', 'doctor', '--json')).stdout);
    expect(errors, JSON.stringify(findings)).toBe(0);
  });

  test('without a network, an app is made, and a failed installation says what to do', async () => {
    const place = empty('offline');
    const binary = join(folder, 'npx-basic/myapp/node_modules/fw/dist/cli/main.js');
    const offline = { ...env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
    const fw = (...args: string[]): Promise<RunResult> =>
      run(process.execPath, [binary, 'new', ...args], { cwd: place, env: offline });
    expect(await fw('one', '-t', 'fullstack', '--yes', '--no-install')).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(existsSync(join(place, 'one/web/index.html'))).toBe(true);
    const failed = await fw('two', '-t', 'basic', '--yes', '--package-manager', 'npm');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain(
      'npm install failed with exit code 1; the app is there, without its dependencies',
    );
    expect(failed.stderr).toContain('help: run: cd two && npm install');
    expect(existsSync(join(place, 'two/src/app.ts'))).toBe(true);
  });
});
