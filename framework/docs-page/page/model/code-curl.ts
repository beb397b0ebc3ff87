// The page about an API: a call as a command for curl in a POSIX shell. Values come from anywhere, so each is quoted.
import type { Secret } from './credentials.js';
import { isFieldText, isToken, type RequestPlan, searchOf } from './request-plan.js';

/** @param isShown whether secrets are written; otherwise variables stand for them */
export function curlText(plan: RequestPlan, isShown: boolean): string {
  const { method, headers, body, secrets, cookies } = plan;
  const lines = [`curl ${urlWord(plan, isShown)}`];
  const hasBody = body !== undefined;
  if (method !== (hasBody ? 'POST' : 'GET')) lines[0] = `curl -X ${single(method)} ${urlWord(plan, isShown)}`;
  for (const [name, value] of headers)
    if (isSafe(name, value)) lines.push(`-H ${single(`${name}: ${value}`)}`);
  for (const one of secrets.filter(({ place }) => place === 'header')) {
    if (isSafe(one.name, one.value))
      lines.push(`-H ${withSecret(`${one.name}: ${one.prefix}`, one, isShown)}`);
  }
  for (const [name, value] of cookies) lines.push(`-b ${single(`${name}=${value}`)}`);
  for (const one of secrets.filter(({ place }) => place === 'cookie')) {
    if (isSafe(one.name, one.value)) lines.push(`-b ${withSecret(`${one.name}=`, one, isShown)}`);
  }
  if (body?.kind === 'text') lines.push(`--data-raw ${single(body.text)}`);
  if (body?.kind === 'file') lines.push(`--data-binary ${single(`@${body.file.name}`)}`);
  if (body?.kind === 'form') lines.push(...body.parts.map(partLine));
  return lines.join(' \\\n  ');
}

function isSafe(name: string, value: string): boolean {
  return isToken(name) && isFieldText(value);
}

function urlWord({ url, secrets }: RequestPlan, isShown: boolean): string {
  const found = secrets.filter(({ place }) => place === 'query');
  const [first] = found;
  if (first === undefined) return single(url);
  if (isShown) {
    const search = searchOf(found.map(({ name, value }) => [name, value]));
    return single(url + (url.includes('?') ? search.replace('?', '&') : search));
  }
  return withSecret(`${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(first.name)}=`, first, false);
}

/**
 * A part of a form. curl reads the value of `-F` as a language of its own, so texts go by `--form-string`, and a name
 * that it would misread is not written at all.
 */
function partLine([name, value]: readonly [string, string | File]): string {
  if (!/^[\w .[\]-]+$/.test(name))
    return `--form-string ${single('part=the name of a part cannot be written for curl')}`;
  if (typeof value === 'string') return `--form-string ${single(`${name}=${value}`)}`;
  const file = value.name.replace(/[\\"]/g, '\\$&').replace(/[\r\n]/g, ' ');
  return `-F ${single(`${name}=@"${file}"`)}`;
}

/** In single quotes everything stands for itself but the quote. */
function single(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;
}

/** The value, or in double quotes a variable; what stands before it is quoted by itself. */
function withSecret(before: string, { value, placeholder }: Secret, isShown: boolean): string {
  return isShown ? single(before + value) : `${single(before)}"$${placeholder}"`;
}
