// Checks names of hosts that fw dev shall answer for: one that no request can have would be refused without a reason.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { CliError, UsageError } from '../../terminal/errors.js';

/** `app.test`, `.app.test` for its subdomains too, an address, or `*`. */
const FORM = /^(?:\*|\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i;

/** @throws CliError for a URL, a port, a wildcard in a name, or characters that a Host field does not have */
export function checkAllowedHosts(flags: readonly string[] = [], listed: readonly string[] = []): string[] {
  const flag = flags.find((name) => !isHost(name));
  if (flag !== undefined) throw new UsageError(`--allowed-host '${flag}' is not a host name`, help(flag));
  const inFile = listed.find((name) => !isHost(name));
  if (inFile !== undefined)
    throw new CliError(`dev.allowed_hosts in fw.toml has '${inFile}', which is not a host name`, {
      help: help(inFile),
    });
  return [...flags, ...listed];
}

function isHost(name: string): boolean {
  return FORM.test(name) || isIP(name) !== 0;
}

/** What the entry most likely means, without what only an address has. */
function help(given: string): string {
  const authority = given.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
  const name = authority
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[([^\]]*)\]$/, '$1')
    .replace(/^\*\./, '.')
    .replace(/\.$/, '');
  const begin = name.startsWith('.') ? '.' : '';
  const plain = isHost(name) ? name : begin + domainToASCII(name.slice(begin.length));
  const example = isHost(plain) ? plain : 'app.test';
  return `give the name alone, such as ${example}; .app.test covers app.test and its subdomains`;
}
