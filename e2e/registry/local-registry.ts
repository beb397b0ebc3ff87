// A registry on loopback for a test: publishes packages of its own, and passes on the others of the configured one.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answering, freePort } from '../free-port.js';

const tools: string = fileURLToPath(new URL('node_modules', import.meta.url));

/** Where the binaries of pnpm, yarn and bun are; undefined where they are not installed. */
export const toolPaths: readonly string[] | undefined = existsSync(join(tools, 'verdaccio/package.json'))
  ? [join(tools, '.bin'), join(tools, '@oven/bun-linux-x64/bin')]
  : undefined;

export interface LocalRegistry {
  readonly url: string;
  /** Publishes the package of a tarball as this version, with the tag `latest`. */
  publish(tarball: string, version: string): void;
  close(): Promise<void>;
}

/** @param folder for its files, which the caller removes */
export async function startRegistry(folder: string): Promise<LocalRegistry> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = join(folder, 'config.yaml');
  writeFileSync(config, settings(folder, configuredRegistry()));
  const program = join(tools, 'verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  await answering(`${url}-/ping`);
  return {
    url,
    publish: (tarball, version) => publish(tarball, version, folder, url),
    close: () => end(child),
  };
}

/** That of the machine, from which everything but `fw` comes. */
function configuredRegistry(): string {
  return execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
}

/** Everybody may publish: it is reachable on loopback, and lives as long as the test. */
function settings(folder: string, upstream: string): string {
  return `storage: ${join(folder, 'storage')}
uplinks:
  upstream:
    url: ${upstream}
    maxage: 60m
    timeout: 60s
    agent_options: { keepAlive: true, maxSockets: 40 }
packages:
  fw: { access: $all, publish: $all, unpublish: $all }
  '@*/*': { access: $all, proxy: upstream }
  '**': { access: $all, proxy: upstream }
log: { type: stdout, level: error }
`;
}

/** The tarball says the version of the checkout: it is packed again with another one. */
function publish(tarball: string, version: string, folder: string, url: string): void {
  const place = join(folder, `fw-${version}`);
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', place]);
  const manifest = join(place, 'package/package.json');
  const content = { ...JSON.parse(readFileSync(manifest, 'utf8')), version };
  writeFileSync(manifest, JSON.stringify(content));
  // npm publishes only with some token; the registry does not look at it.
  const token = `--//${new URL(url).host}/:_authToken=none`;
  execFileSync('npm', ['publish', '--silent', '--ignore-scripts', '--registry', url, token], {
    cwd: join(place, 'package'),
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill();
  await closed;
}
