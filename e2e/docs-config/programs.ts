// Programs that check their own configuration. Where one is missing, its tests are skipped and say so; in CI that is a failure.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout, temporaryDirectory } from '../packed.js';

/** Why a program cannot be asked, or `undefined`. */
export function whyMissing(program: string, debianPackage: string): string | undefined {
  // nginx is in /usr/sbin, which users do not have in their PATH.
  const { error } = spawnSync(program, ['--help'], { env: environment(), stdio: 'ignore' });
  if (error === undefined) return undefined;
  const reason = `there is no ${program}; install the Debian package ${debianPackage}`;
  if (process.env.CI) throw new Error(reason);
  process.stderr.write(`skipped: ${reason}\n`);
  return reason;
}

/** What nginx says of a file for its folder `conf.d`, or `''` if it is valid. */
export function nginxFaults(text: string): string {
  const folder = temporaryDirectory('fw-nginx');
  mkdirSync(join(folder, 'logs'));
  // The pages leave certificates out, which every server has elsewhere.
  ask('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=shop.example', '-days', '1'],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')],
  ]);
  writeFileSync(join(folder, 'site.conf'), text);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid;
error_log ${folder}/logs/error.log;
events {}
http {
  access_log off;
  ssl_certificate ${folder}/certificate.pem;
  ssl_certificate_key ${folder}/key.pem;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include ${folder}/site.conf;
}
`,
  );
  const { status, stderr } = spawnSync(
    'nginx',
    ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')],
    {
      encoding: 'utf8',
      env: environment(),
    },
  );
  return status === 0 ? stderr : `exit code ${status}: ${stderr}`;
}

/** What Caddy says, or `''`. */
export function caddyFaults(text: string): string {
  const folder = temporaryDirectory('fw-caddy');
  writeFileSync(join(folder, 'Caddyfile'), text);
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const { status, stderr } = spawnSync('caddy', args, {
    encoding: 'utf8',
    env: { ...environment(), HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  return status === 0 ? '' : stderr;
}

/**
 * What systemd says of units, or `''`. Programs need not be installed here.
 * @param units their texts, by the names of their files
 */
export function systemdFaults(units: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory('fw-systemd');
  const files = Object.entries(units).map(([name, text]) => {
    const file = join(folder, name);
    writeFileSync(file, text.replace(/^(Exec\w+=)\S+/gm, `$1${process.execPath}`));
    return file;
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
  // It only warns of a key that it does not know; units of the machine may have faults of their own.
  const warnings = stderr.split('\n').filter((line) => line.includes(folder));
  return status === 0 ? warnings.join('\n') : `exit code ${status}: ${stderr}`;
}

/**
 * Runs the command of a page that bundles `src/lambda.ts`, and gives the module that it writes.
 * @param source of `src/lambda.ts`
 */
export async function bundled(command: string, source: string): Promise<unknown> {
  const folder = temporaryDirectory('fw-lambda');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'src/lambda.ts'), source);
  const packages = join(folder, 'node_modules');
  symlinkSync(join(checkout, 'node_modules'), packages);
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}\n${stderr}`);
  // The bundle needs nothing beside it.
  unlinkSync(packages);
  return import(pathToFileURL(join(folder, 'dist/index.mjs')).href);
}

function ask(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stderr}`);
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
}
