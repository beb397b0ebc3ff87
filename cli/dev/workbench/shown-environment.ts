// The environment variables as the page about the app shows them: those that the app reads first, without secrets.

import { readEnvFile } from '../../process/environment.js';
import type { EnvRead } from '../../process/messages.js';
import { isSecretName, MASKED } from '../../process/secret-names.js';
import type { EnvironmentInfo } from './app-info.js';
import { maskBody, maskTarget } from './masking.js';
import { parsePlace } from './places.js';

export interface Environment {
  /** The variables that the app gets. */
  readonly worker: NodeJS.ProcessEnv;
  /** Those that `fw dev` was started with. */
  readonly shell: NodeJS.ProcessEnv;
  /** What the app has read, in the order of the first reads. */
  readonly reads: readonly EnvRead[];
}

export function environmentInfo(root: string, { worker, shell, reads }: Environment): EnvironmentInfo[] {
  const file = readEnvFile(root);
  const byName = new Map(reads.map((read) => [read.name, read]));
  const unset = reads.filter(({ name, place }) => worker[name] === undefined && place !== undefined);
  const all = [...Object.keys(worker), ...unset.map(({ name }) => name)].flatMap(
    (name): EnvironmentInfo[] => {
      const value = worker[name];
      const read = byName.get(name);
      const place = parsePlace(read?.place, root);
      const by = { ...(read && { readBy: whoReads(read) }), ...(place && { place }) };
      if (value === undefined) return unset.some((one) => one.name === name) ? [{ name, ...by }] : [];
      const from = shell[name] === value ? 'shell' : file[name] === value ? '.env' : 'fw dev';
      const shown = read?.isSecret === true && value !== '' ? MASKED : shownValue(name, value);
      return [{ name, value: shown, from, ...by }];
    },
  );
  return all.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

function whoReads({ place }: EnvRead): 'app' | 'package' {
  return place === undefined ? 'package' : 'app';
}

/** What the app reads first, then what belongs to it. */
function rank({ readBy, from }: EnvironmentInfo): number {
  if (readBy === 'app') return 0;
  return ['fw dev', '.env', 'shell'].indexOf(from ?? 'shell') + 1;
}

/** Words of a name whose value is secret, beside those of all names. Where the shell is, is none. */
const SECRET_WORDS =
  /(?:^|_)(?:key|keys|pass|pw|pwd|pin|salt|auth|cookie|cert|dsn|signature|webhook)(?:_|$)/i;
const PLACES = /(?:^|_)(?:sock|socket|path|dir|file|home)$|^(?:old)?pwd$/i;
const PUBLIC = /(?:^|_)public(?:_|$)/i;

/** Forms of keys and tokens, whatever their names are. */
const SECRET_FORM =
  /^(?:gh[pousr]_|github_pat_|glpat-|sk[-_]|rk_live_|xox[abprs]-|AKIA[0-9A-Z]{12}|AIza|npm_|eyJ[\w-]{10,200}\.eyJ)|-----BEGIN [A-Z ]{0,40}PRIVATE KEY/;

export function shownValue(name: string, value: string): string {
  if (value === '') return value;
  if (SECRET_FORM.test(value)) return MASKED;
  const shown = withoutPasswords(value);
  // Only the password of a URL is secret.
  if (shown !== value && /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(value)) return shown;
  return isSecretVariable(name) ? MASKED : shown;
}

function isSecretVariable(name: string): boolean {
  if (PLACES.test(name) && !/token|secret|passw/i.test(name)) return false;
  if (isSecretName(name)) return true;
  return SECRET_WORDS.test(name) && !PUBLIC.test(name);
}

/** Of addresses, of connection strings such as `Server=db;Password=…`, and of JSON. */
function withoutPasswords(value: string): string {
  const addresses = value.replace(
    /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#@:]{0,500})(?::([^\s/?#]{1,500}))?@/gi,
    (whole, scheme: string, user: string, password: string | undefined) => {
      if (password !== undefined) return `${scheme}${user}:${MASKED}@`;
      // A token in the place of the user, as for repositories of Git.
      return user.length >= LONG_USER ? `${scheme}${MASKED}@` : whole;
    },
  );
  const pairs = withoutOddPassword(addresses, value).replace(
    /((?:^|[;,\s])[ ]?(?:password|pwd|passwd|secret|accountkey|sharedaccesskey|token)[ ]?=[ ]?)([^;,\s&]+)/gi,
    `$1${MASKED}`,
  );
  return /^[ \t\r\n]*[{[]/.test(pairs) ? maskBody(pairs, 'application/json') : maskTarget(pairs);
}

/** A password with characters that an address may not have, which drivers take all the same. */
function withoutOddPassword(shown: string, value: string): string {
  if (shown !== value) return shown;
  return value.replace(/^([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]{0,500}:).{1,500}@/is, `$1${MASKED}@`);
}

/** In characters. */
const LONG_USER = 16;
