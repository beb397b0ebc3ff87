// A model of an API: a call as a command for curl in a POSIX shell. Values come from anywhere, so each is quoted.
import { shellWord } from '../docs-page/parts/shell-word.js';
import type { Secret } from './credentials.js';
import { isFieldText, isToken, type RequestPlan, searchOf } from './request-plan.js';

/** @param isShown whether secrets are written; otherwise variables stand for them */
export function curlText(plan: RequestPlan, isShown: boolean): string {
  const { method, headers, body, secrets, cookies } = plan;
  const hasBody = body !== undefined;
  const verb = method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${shellWord(method)} `;
  // Without `-g`, curl takes brackets and braces in a URL for ranges and lists.
  const lines = [`curl ${/[[\]{}]/.test(plan.url) ? '-g ' : ''}${verb}${urlWord(plan, isShown)}`];
  for (const [name, value] of headers)
    if (isSafe(name, value)) lines.push(`-H ${shellWord(`${name}: ${value}`)}`);
  for (const one of secrets.filter(({ place }) => place === 'header')) {
    if (isSafe(one.name, one.value))
      lines.push(`-H ${withSecret(`${one.name}: ${one.prefix}`, one, isShown)}`);
  }
  for (const [name, value] of cookies) lines.push(`-b ${shellWord(`${name}=${value}`)}`);
  for (const one of secrets.filter(({ place }) => place === 'cookie')) {
    if (isSafe(one.name, one.value)) lines.push(`-b ${withSecret(`${one.name}=`, one, isShown)}`);
  }
  if (body?.kind === 'text') lines.push(`--data-raw ${shellWord(body.text)}`);
  if (body?.kind === 'file') lines.push(`--data-binary ${shellWord(`@${body.file.name}`)}`);
  if (body?.kind === 'form') lines.push(...body.parts.map(partLine));
  return lines.join(' \\\n  ');
}

function isSafe(name: string, value: string): boolean {
  return isToken(name) && isFieldText(value);
}

function urlWord({ url, secrets }: RequestPlan, isShown: boolean): string {
  const found = secrets.filter(({ place }) => place === 'query');
  const [first] = found;
  if (first === undefined) return shellWord(url);
  if (isShown) {
    const search = searchOf(found.map(({ name, value }) => [name, value]));
    return shellWord(url + (url.includes('?') ? search.replace('?', '&') : search));
  }
  return withSecret(`${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(first.name)}=`, first, false);
}

/**
 * A part of a form. curl reads the value of `-F` as a language of its own, so texts go by `--form-string`, and a name
 * that it would misread is not written at all.
 */
function partLine([name, value]: readonly [string, string | File]): string {
  if (!/^[\w .[\]-]+$/.test(name))
    return `--form-string ${shellWord('part=the name of a part cannot be written for curl')}`;
  if (typeof value === 'string') return `--form-string ${shellWord(`${name}=${value}`)}`;
  const file = value.name.replace(/[\\"]/g, '\\$&').replace(/[\r\n]/g, ' ');
  return `-F ${shellWord(`${name}=@"${file}"`)}`;
}

/** The value, or in double quotes a variable; what stands before it is quoted by itself. */
function withSecret(before: string, { value, placeholder }: Secret, isShown: boolean): string {
  return isShown ? shellWord(before + value) : `${shellWord(before)}"$${placeholder}"`;
}
