// A model of an API: a call as a command for PowerShell.
import { type PowerShellBody, powerShellCall, powerShellText } from '../docs-page/parts/powershell.js';
import type { Secret } from './credentials.js';
import { isFieldText, isToken, type RequestPlan, searchOf } from './request-plan.js';

/** @param isShown whether secrets are written; otherwise variables of the environment stand for them */
export function powerShellCode(plan: RequestPlan, isShown: boolean): string {
  const { method, headers, secrets, cookies, body } = plan;
  const at = (place: Secret['place']) =>
    secrets.filter((one) => one.place === place && isSafe(one.name, one.value));
  const value = ({ prefix, value: text, placeholder }: Secret): string =>
    isShown ? powerShellText(prefix + text) : `(${powerShellText(prefix)} + $env:${placeholder})`;
  return powerShellCall({
    method,
    url: urlOf(plan, isShown),
    headers: [
      ...headers
        .filter(([name, text]) => isSafe(name, text))
        .map(([name, text]) => [name, powerShellText(text)] as const),
      ...at('header').map((one) => [one.name, value(one)] as const),
    ],
    cookies: [
      ...cookies.map(([name, text]) => [name, powerShellText(text)] as const),
      ...at('cookie').map((one) => [one.name, value(one)] as const),
    ],
    body: bodyOf(body),
  });
}

function isSafe(name: string, value: string): boolean {
  return isToken(name) && isFieldText(value);
}

function urlOf({ url, secrets }: RequestPlan, isShown: boolean): string {
  const found = secrets.filter(({ place }) => place === 'query');
  const [first] = found;
  if (first === undefined) return powerShellText(url);
  if (!isShown) {
    const before = `${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(first.name)}=`;
    return `(${powerShellText(before)} + $env:${first.placeholder})`;
  }
  const search = searchOf(found.map(({ name, value }) => [name, value]));
  return powerShellText(url + (url.includes('?') ? search.replace('?', '&') : search));
}

function bodyOf(body: RequestPlan['body']): PowerShellBody | undefined {
  if (body === undefined) return undefined;
  if (body.kind === 'text') return { text: powerShellText(body.text) };
  if (body.kind === 'file') return { file: powerShellText(body.file.name) };
  return {
    parts: body.parts.map(
      ([name, value]) =>
        [
          name,
          typeof value === 'string' ? { text: powerShellText(value) } : { file: powerShellText(value.name) },
        ] as const,
    ),
  };
}
