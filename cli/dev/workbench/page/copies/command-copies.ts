// The page about the app: a recorded request as a command of curl or PowerShell.
import { powerShellCall, powerShellText } from '../../../../../framework/docs-page/parts/powershell.js';
import { shellWord } from '../../../../../framework/docs-page/parts/shell-word.js';
import type { RequestDetail } from '../../protocol.js';
import { copiedBody, copiedCookies, copiedHeaders } from './copied-request.js';
import { NamedSecrets, type Part } from './named-secrets.js';

/** A command for a POSIX shell. Secrets are variables: a shell in which one is not set says so, and sends nothing. */
export function asCurl(request: RequestDetail): string {
  const { method, origin, target } = request;
  const secrets = new NamedSecrets('shell');
  const word = (text: string, owner: string): string => shellWords(secrets.partsOf(text, owner));
  const parts = [`curl ${flagsOf(request)}${word(`${origin}${pathOf(target)}`, 'secret')}`];
  if (!target.startsWith('/')) parts.push(`--request-target ${shellWord(target)}`);
  const body = copiedBody(request);
  // With `-X HEAD`, curl waits for a body.
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (body === undefined ? 'GET' : 'POST')) parts.push(`-X ${shellWord(method)}`);
  const headers = copiedHeaders(request);
  for (const [name, value] of headers) {
    // A field without a value is written with a semicolon.
    parts.push(`-H ${value === '' ? shellWord(`${name};`) : word(`${name}: ${value}`, name)}`);
  }
  // Without a type, curl calls every body a form.
  if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    parts.push("-H 'Content-Type:'");
  if (body !== undefined && 'text' in body) parts.push(`--data-raw ${word(body.text, 'secret')}`);
  else if (body !== undefined) parts.push(`--data-binary ${shellWord(`@${body.file}`)}`);
  return parts.join(' \\\n  ');
}

function flagsOf({ origin, target }: RequestDetail): string {
  return [
    // The certificate of a developer.
    /^https:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(origin) ? '-k ' : '',
    // Without it, curl takes brackets and braces in a URL for ranges and lists.
    /[[\]{}]/.test(origin + target) ? '-g ' : '',
    // Without it, curl resolves `..` itself.
    /\/\.{1,2}(?:[/?]|$)/.test(target) ? '--path-as-is ' : '',
  ].join('');
}

/** `OPTIONS *`, and the whole URL that a proxy gets, have no path. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target : '/';
}

function shellWords(parts: readonly Part[]): string {
  if (parts.length === 0) return "''";
  return parts
    .map((part) =>
      'text' in part ? shellWord(part.text) : `"\${${part.variable}:?is a secret: set it before}"`,
    )
    .join('');
}

/** The same for PowerShell, which is the shell of most people on Windows. */
export function asPowerShell(request: RequestDetail): string {
  const { method, origin, target } = request;
  const secrets = new NamedSecrets('shell');
  const text = (value: string, owner: string): string => powerShellTerms(secrets.partsOf(value, owner));
  const pair = ([name, value]: readonly [string, string]) => [name, text(value, name)] as const;
  const body = copiedBody(request);
  const call = powerShellCall({
    method,
    url: text(`${origin}${pathOf(target)}`, 'secret'),
    headers: copiedHeaders(request)
      .filter(([name]) => name.toLowerCase() !== 'cookie')
      .map(pair),
    cookies: copiedCookies(request).map(pair),
    body:
      body === undefined
        ? undefined
        : 'text' in body
          ? { text: text(body.text, 'secret') }
          : { file: powerShellText(body.file) },
  });
  const checks = secrets.names.map(
    (name) => `if (-not $env:${name}) { throw 'The variable $env:${name} is a secret: set it before' }`,
  );
  return [...checks, call].join('\n');
}

function powerShellTerms(parts: readonly Part[]): string {
  const terms = parts.map((part) => ('text' in part ? powerShellText(part.text) : `$env:${part.variable}`));
  return terms.length > 1 ? `(${terms.join(' + ')})` : (terms[0] ?? "''");
}
