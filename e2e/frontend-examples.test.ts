// The components of the documentation, in React, Vue and Svelte: each is checked by its compiler with a generated client.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RpcRegistry } from 'fw/rpc';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout, run, temporaryDirectory } from './packed.js';

const modules = fileURLToPath(new URL('typed-clients/node_modules', import.meta.url));

/** Why these tests are skipped here, if they are; on a CI machine that is a failure instead. */
const missing = existsSync(join(modules, 'svelte'))
  ? undefined
  : 'the frameworks of the examples are not installed; run: npm ci --prefix e2e/typed-clients';
if (missing !== undefined && process.env.CI) throw new Error(missing);
if (missing !== undefined) process.stderr.write(`skipped: ${missing}\n`);

const nothing = (): never[] => [];
const task = '{ listId: string; title: string }';

/** By page, the procedures that its components call. */
const registries = {
  'call-from-a-frontend': new RpcRegistry()
    .queryWithTypes('listTasks', nothing, '{}', '{ title: string }[]')
    .queryWithTypes('tasks.inList', nothing, '{ listId: string }', '{ id: string; title: string }[]')
    .mutationWithTypes('tasks.add', nothing, task, 'void'),
  'live-updates': new RpcRegistry()
    .queryWithTypes('tasks.inList', nothing, '{ listId: string }', 'string[]')
    .mutationWithTypes('tasks.add', nothing, task, 'void')
    .subscriptionWithTypes('changes.follow', async function* () {}, 'void', '{ listId: string }'),
};

const api = `import { FwRpcClient } from './client.ts';
import { queriesOf } from './client-queries.ts';
export const client = new FwRpcClient('/rpc');
export const api = queriesOf(client);
`;
const compilerOptions = {
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  jsx: 'react-jsx',
  types: [],
};

/** By language of a block: its file, and what checks a folder with it. */
const checks = {
  tsx: { file: 'example.tsx', tool: ['typescript/bin/tsc', '-p', 'tsconfig.json'] },
  vue: { file: 'Example.vue', tool: ['vue-tsc/bin/vue-tsc.js', '-p', 'tsconfig.json'] },
  svelte: {
    file: 'Example.svelte',
    tool: ['svelte-check/bin/svelte-check', '--tsconfig', 'tsconfig.json', '--fail-on-warnings'],
  },
} as const;
type Language = keyof typeof checks;

function blocksOf(page: string): { language: Language; code: string }[] {
  const text = readFileSync(join(checkout, `framework/docs/how-to/${page}.md`), 'utf8');
  return [...text.matchAll(/^```(tsx|vue|svelte)\n(.*?)^```$/gms)].map(([, language, code = '']) => ({
    language: language as Language,
    code,
  }));
}

describe.skipIf(missing !== undefined).each(Object.entries(registries))('%s', (page, registry) => {
  let directory: string;

  beforeAll(async () => {
    directory = temporaryDirectory();
    symlinkSync(modules, join(directory, 'node_modules'), 'junction');
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(directory, 'api.ts'), api);
    await registry.generateClientFile(join(directory, 'client.ts'), { queryOptions: true });
  });

  async function check(language: Language, code: string): Promise<string> {
    const { file, tool } = checks[language];
    writeFileSync(join(directory, file), code);
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['api.ts', file] }),
    );
    const [program = '', ...args] = tool;
    const { exitCode, stdout, stderr } = await run(process.execPath, [join(modules, program), ...args], {
      cwd: directory,
    });
    return exitCode === 0 ? '' : stdout + stderr;
  }

  test.each(blocksOf(page))('a component in $language', async ({ language, code }) => {
    expect(await check(language, code)).toBe('');
    const wrong = code.replaceAll(/\btasks\.inList\b|\blistTasks\b/g, 'notThere');
    expect(wrong).not.toBe(code);
    expect(await check(language, wrong)).toContain('notThere');
  });
});

test('both pages have components of React and Vue, and one of Svelte', () => {
  const languages = Object.keys(registries).flatMap((page) => blocksOf(page).map(({ language }) => language));
  expect(languages.sort()).toEqual(['svelte', 'tsx', 'tsx', 'vue', 'vue']);
});
