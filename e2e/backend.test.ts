// A backend of twenty routes on the packed package: its document is accepted by the recommended rules, and true. A
// frontend passes a journey, with the types of openapi-typescript and with the client of fw; every answer is one that
// the document declares, and every answer that it declares comes.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout, installFw, type RunResult, run, temporaryDirectory } from './packed.js';

const tools = join(checkout, 'e2e/typed-clients/node_modules');
const missing = existsSync(join(tools, 'openapi-fetch'))
  ? undefined
  : 'openapi-fetch is not installed; run: npm ci --prefix e2e/typed-clients';
if (missing !== undefined && process.env.CI) throw new Error(missing);
if (missing !== undefined) process.stderr.write(`skipped: ${missing}\n`);

interface Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string | null;
  readonly location: string | null;
  readonly body: string;
}

interface Documented {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { readonly responses: Record<string, Documented> }>>
  >;
  readonly components: object;
}

describe.skipIf(missing !== undefined)('a backend of twenty routes', () => {
  let directory: string;
  let text: string;
  let document: Document;

  beforeAll(async () => {
    directory = temporaryDirectory('fw-backend');
    writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
    installFw(directory);
    const modules = join(directory, 'node_modules');
    mkdirSync(join(modules, '@types'), { recursive: true });
    for (const name of ['zod', '@types/node', 'undici-types']) {
      symlinkSync(join(checkout, 'node_modules', name), join(modules, name));
    }
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
      symlinkSync(join(tools, name), join(modules, name));
    }
    const sources = join(checkout, 'e2e/backend');
    for (const name of readdirSync(sources)) copyFileSync(join(sources, name), join(directory, name));
    expect(await program('write-document')).toMatchObject({ exitCode: 0, stderr: '' });
    text = readFileSync(join(directory, 'openapi.json'), 'utf8');
    document = JSON.parse(text);
    const made = await node(join(tools, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'openapi.ts');
    expect(made).toMatchObject({ exitCode: 0 });
  });

  function node(...args: string[]): Promise<RunResult> {
    return run(process.execPath, args, { cwd: directory });
  }

  /** Runs a program of the directory, as a bundler makes it. */
  async function program(name: string): Promise<RunResult> {
    await build({
      entryPoints: [join(directory, `${name}.ts`)],
      outfile: join(directory, `${name}.js`),
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    return node(`${name}.js`);
  }

  test('has a document that the recommended rules accept', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    // Two routes refuse nothing, and the licence is the owner's to say.
    const warnings = new Set(problems.map(({ ruleId }) => ruleId));
    expect([...warnings].sort()).toEqual(['info-license', 'operation-4xx-response']);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(20);
  });

  test('compiles, and its frontend with the types of the document', async () => {
    expect(await node(join(checkout, 'node_modules/typescript/bin/tsc'))).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
  });

  test.each([
    ['openapi-fetch', 'journey'],
    ['fw', 'own-journey'],
  ])(
    'answers what the document declares, and everything that it declares, to the client of %s',
    async (_, name) => {
      const { exitCode, stdout, stderr } = await program(name);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const answers = stdout
        .trimEnd()
        .split('\n')
        .map((line): Answer => JSON.parse(line));
      const seen = answers.map((answer) => matched(document, answer));
      for (const [index, { declared, name: answered }] of seen.entries()) {
        const answer = answers[index] as Answer;
        expect(declared, `${answered} is not declared`).toBeDefined();
        expect(faultsOf(document, declared as Documented, answer), `${answered}: ${answer.body}`).toEqual([]);
      }
      expect([...new Set(seen.map((one) => one.name))].sort()).toEqual(declaredAnswers(document).sort());
    },
  );
});

/** What the document declares for an answer. */
function matched(
  { paths }: Document,
  { method, path, status }: Answer,
): { name: string; declared: Documented | undefined } {
  const templates = Object.keys(paths).filter((one) => {
    return (
      new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path) &&
      method.toLowerCase() in (paths[one] ?? {})
    );
  });
  // A path without parameters is the more precise one.
  const [template = ''] = templates.sort((a, b) => a.split('{').length - b.split('{').length);
  const responses = paths[template]?.[method.toLowerCase()]?.responses;
  return { name: `${method} ${template} ${status}`, declared: responses?.[status] };
}

function declaredAnswers({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => status !== 'default')
        .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
}

interface Ajv {
  validate(schema: object, value: unknown): boolean;
  errorsText(): string;
}

/** What an answer has in another way than the document declares it. */
function faultsOf(
  { components }: Document,
  declared: Documented,
  { body, type, location }: Answer,
): string[] {
  if (declared.content === undefined) return body === '' ? [] : ['a body that is not declared'];
  const media = type?.split(';')[0] ?? '';
  const schema = declared.content[media]?.schema;
  if (schema === undefined) return [`the content type ${type}`];
  const missing = 'location' in (declared.headers ?? {}) && location === null ? ['no Location'] : [];
  if (media !== 'application/json') return missing;
  const ajv = validator();
  const isValid = ajv.validate({ ...closed(schema), components: closed(components) }, JSON.parse(body));
  return isValid ? missing : [...missing, ajv.errorsText()];
}

function validator(): Ajv {
  const require = createRequire(join(tools, 'ajv/package.json'));
  const { Ajv } = require('ajv') as { Ajv: new (options: object) => Ajv };
  const ajv = new Ajv({ strict: false, allErrors: true });
  const formats = createRequire(join(tools, 'ajv-formats/package.json'))('ajv-formats') as {
    default(ajv: Ajv): void;
  };
  formats.default(ajv);
  return ajv;
}

/** The same schemas, which refuse fields that they do not declare: none may leave. */
function closed<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(closed) as Schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return (
    'properties' in parts && parts.type === 'object' ? { ...parts, additionalProperties: false } : parts
  ) as Schema;
}
