// The page about the app: a recorded request and its response as a test with `fw/testing`.
import type { RequestDetail, TestSetup } from '../../protocol.js';
import { copiedBody, copiedHeaders } from './copied-request.js';
import { MASK } from './named-secrets.js';
import { commentText, literal, SourceWriter } from './source-text.js';

/** A test that compiles in the project. @param setup how its tests get the App */
export function asTest(request: RequestDetail, setup: TestSetup): string {
  const { method, target, status } = request;
  const source = new SourceWriter();
  const given = options(request, source);
  const call = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)
    ? `client.${method.toLowerCase()}(${[source.text(target), ...given].join(', ')})`
    : `client.request(${[literal(method), source.text(target), ...given].join(', ')})`;
  const name = literal(`${method} ${target.split('?')[0]} answers ${status ?? 'nothing'}`);
  const body = [...source.declarations, `const response = await ${call};`, ...assertions(request)];
  return [
    `// Save it as a file beside ${commentText(setup.file)}, such as copied.test${extensionOf(setup.file)}.`,
    "import { TestClient } from 'fw/testing';",
    setup.runner === 'vitest' ? "import { test } from 'vitest';" : "import { test } from 'node:test';",
    ...missingApp(setup),
    importOf(setup),
    '',
    `test(${name}, async () => {`,
    ...(setup.gives === 'testApp'
      ? withTestApp(body)
      : [`  const client = new TestClient(app);`, ...indented(body)]),
    '});',
    '',
  ].join('\n');
}

/** The apps of some templates have a function that makes an App for a test, with a database of its own. */
function withTestApp(body: readonly string[]): string[] {
  return [
    '  const api = await testApp();',
    '  try {',
    '    const client = new TestClient(api.app);',
    ...indented(indented(body)),
    '  } finally {',
    '    await api[Symbol.asyncDispose]();',
    '  }',
  ];
}

function importOf({ gives, module }: TestSetup): string {
  return gives === 'default'
    ? `import app from ${literal(module)};`
    : `import { ${gives === 'unknown' ? 'app' : gives} } from ${literal(module)};`;
}

/** What to change in a project whose App no test can import. */
function missingApp({ gives, file, entry = '', module }: TestSetup): string[] {
  if (gives !== 'unknown') return [];
  const [to, from] = [commentText(file), commentText(entry)];
  return [
    `// No file exports the App yet, and a test that imports ${from} would start the server.`,
    `// Move the App from ${from} to ${to}, as \`export const app = …\`. What stays in ${from} is`,
    `// \`import { app } from '${commentText(module)}';\` and \`app.listen(…)\`.`,
  ];
}

function extensionOf(file: string): string {
  return /\.[cm]?[jt]sx?$/.exec(file)?.[0] ?? '.ts';
}

function indented(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split('\n').map((one) => (one === '' ? '' : `  ${one}`)));
}

function options(request: RequestDetail, source: SourceWriter): string[] {
  const body = bodyOption(request, source);
  // The client sets the media type itself for `json`.
  const headers = copiedHeaders(request).filter(
    ([name, value]) =>
      body?.startsWith('json:') !== true ||
      name.toLowerCase() !== 'content-type' ||
      value.split(';')[0] !== 'application/json',
  );
  const parts = headers.length === 0 ? [] : [`headers: ${source.headers(headers)}`];
  if (body !== undefined) parts.push(body);
  return parts.length === 0 ? [] : [`{\n${parts.map((part) => `  ${part},\n`).join('')}}`];
}

function bodyOption(request: RequestDetail, source: SourceWriter): string | undefined {
  const body = copiedBody(request);
  if (body === undefined) return undefined;
  const { size = 0, type = '' } = request.requestBody ?? {};
  if ('file' in body) return `body: '' /* ${size} bytes of ${commentText(type)} */`;
  const value = type.includes('json') ? parsed(body.text) : undefined;
  return value === undefined ? `body: ${source.text(body.text)}` : `json: ${source.json(value.json, '  ')}`;
}

function assertions({ status, responseBody: body, responseHeaders }: RequestDetail): string[] {
  const lines = status === undefined ? [] : [`response.assertStatus(${status});`];
  const isWhole = body?.text !== undefined && body.isCut !== true && body.size > 0;
  if (!isWhole || body.text?.includes(MASK) === true) {
    const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    if (isWhole)
      lines.push('// The body has secrets, which the page does not have: check what matters of it.');
    return type === undefined
      ? lines
      : [...lines, `response.assertHeader('content-type', ${literal(type)});`];
  }
  const text = body.text ?? '';
  const value = body.type.includes('json') ? parsed(text) : undefined;
  const source = new SourceWriter();
  const check =
    value === undefined
      ? `response.assertText(${literal(text)});`
      : `response.assertJson(${source.json(value.json, '')});`;
  return [...lines, check];
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
