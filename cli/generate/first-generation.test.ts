// What happens while the first inference runs, with a real compiler and a real build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { project, removeProjects } from '../../framework/conformance/inferred-project.js';
import { makeOutDir } from '../bundle/bundle-folder.js';
import { type Bundle, Bundler } from '../bundle/bundler.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { Generation } from './generation.js';

afterAll(removeProjects);

let root: string;
let contract: ContractSource;
let generation: Generation;
const expected: Bundle[] = [];

beforeEach(() => {
  expected.length = 0;
  root = project('typescript', "rpc.query('one', () => 1);");
  const entry = join(root, 'src/generate-client.ts');
  writeFileSync(entry, "import 'some-package';\nimport './main.js';\n");
  contract = new ContractSource(root, join(root, 'src/rpc-contract.json'));
  const outDir = makeOutDir(root);
  const bundler = new Bundler(esbuild, root, () => entry, outDir);
  onTestFinished(async () => {
    contract.close();
    await bundler.dispose();
  });
  const files = { source: join(root, 'client.ts') };
  const runner = {
    run: async () => ({ title: 'not run here', frames: [], details: '' }),
    expect: (bundle: Bundle) => void expected.push(bundle),
  };
  const maker = new ClientMaker(files, runner, esbuild, outDir);
  const settings = {
    root,
    client: { entry, files },
    contract: join(root, 'src/rpc-contract.json'),
    baseUrl: undefined,
  };
  generation = new Generation(settings, bundler, contract, maker);
});

it('tells the packages of the program before the types are inferred, once', async () => {
  await generation.run([], true);
  expect(expected.map(({ packages }) => packages)).toEqual([['some-package']]);
  writeFileSync(
    join(root, 'src/main.ts'),
    "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('two', () => 2);",
  );
  await generation.run([join(root, 'src/main.ts')], true);
  expect(expected).toHaveLength(1);
});

it('tells nothing of a build that fails', async () => {
  writeFileSync(join(root, 'src/generate-client.ts'), "import './missing.js';\n");
  expect(await generation.run([], true)).toMatchObject({ ok: false, build: [{}] });
  expect(expected).toEqual([]);
});

it('infers nothing before what waits for the compiler is done', async () => {
  const steps: string[] = [];
  const inferred = contract.infer([], [], async () => {
    await new Promise((resume) => setTimeout(resume, 50));
    steps.push('open');
  });
  await inferred.then(() => steps.push('inferred'));
  await contract.infer([join(root, 'src/main.ts')], [], async () => void steps.push('open again'));
  expect(steps).toEqual(['open', 'inferred']);
});
