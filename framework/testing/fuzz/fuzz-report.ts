// Fuzzing: what was found, as text: what does not hold, the request as a command of curl, and as a test.
import { curlText } from '../../api-model/code-curl.js';
import type { RequestPlan } from '../../api-model/request-plan.js';
import { NOBODY, STRANGER } from './caller.js';
import type { FuzzCheck } from './fuzz-check.js';
import type { FuzzFailure, FuzzReport } from './fuzz-error.js';

/** The report for people. */
export function reportText({ seed, requests, operations, failures, notes }: FuzzReport): string {
  const sent = `${counted(requests, 'request')} to ${counted(operations.length, 'operation')}`;
  const head = `${counted(failures.length, 'failure')} in ${sent}; seed: ${seed}`;
  const texts = failures.map((one, index) => `${index + 1}) ${failureText(one)}`);
  return [head, ...texts, ...notes.map((note) => `Note: ${visible(note)}`)].join('\n\n');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function failureText({ operation, check, message, caller, curl, test }: FuzzFailure): string {
  const who = caller === NOBODY ? 'without credentials' : `as ${caller}`;
  const head = `${visible(operation)}: ${check} (${who})\n   ${visible(message)}`;
  return [head, ...[curl, test].filter((one) => one !== '').map(indented)].join('\n\n');
}

/** @param headers what the caller sends besides, such as a token, by names alone */
export function copiesOf(
  plan: RequestPlan,
  caller: string,
  { check, message }: { readonly check: FuzzCheck; readonly message: string },
  extra: Readonly<Record<string, string>>,
): { readonly curl: string; readonly test: string } {
  const whole = { ...plan, headers: [...plan.headers, ...Object.entries(extra)] };
  return { curl: visible(curlText(whole, false)), test: testText(whole, caller, check, message) };
}

function testText(plan: RequestPlan, caller: string, check: FuzzCheck, message: string): string {
  const path = plan.url.slice(new URL(plan.url).origin.length);
  const headers = Object.fromEntries([
    ...plan.headers,
    ...(plan.cookies.length > 0
      ? [['cookie', plan.cookies.map(([name, value]) => `${name}=${value}`).join('; ')] as const]
      : []),
  ]);
  const options = [
    ...(Object.keys(headers).length > 0 ? [`    headers: ${literal(headers)},`] : []),
    ...bodyLines(plan),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n  }`;
  const isSignedIn = caller !== NOBODY && caller !== STRANGER;
  return [
    `test(${literal(`${plan.method} ${path.slice(0, 60)}: ${check}`)}, async () => {`,
    '  const client = new TestClient(app);',
    ...(isSignedIn ? [`  // Sign in as ${visible(caller)} here.`] : []),
    `  const response = await client.request(${literal(plan.method)}, ${literal(path)}${given});`,
    `  // ${visible(message)}`,
    expectation(check),
    '});',
  ].join('\n');
}

function expectation(check: FuzzCheck): string {
  switch (check) {
    case 'access':
    case 'missing token':
    case 'other users':
      return '  expect([401, 403, 404]).toContain(response.status);';
    case 'invalid input':
      return '  expect([400, 422]).toContain(response.status);';
    default:
      return '  expect(response.status).toBeLessThan(500);';
  }
}

function bodyLines({ body }: RequestPlan): string[] {
  if (body === undefined) return [];
  if (body.kind === 'text') return [`    body: ${literal(body.text)},`];
  const parts = body.kind === 'form' ? body.parts : [['file', body.file] as const];
  const entries = parts.map(([name, value]) =>
    typeof value === 'string'
      ? `${literal(name)}: ${literal(value)}`
      : `${literal(name)}: new File(['x'], ${literal(value.name)}, { type: ${literal(value.type)} })`,
  );
  return [`    multipart: { ${entries.join(', ')} },`];
}

/** A literal of JavaScript without characters that do not show. */
function literal(value: unknown): string {
  return visible(JSON.stringify(value));
}

const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** With what a terminal acts on, or does not show, as escapes. */
function visible(text: string): string {
  return text.replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n');
}
