// What happens while the first inference runs, with a real compiler and a real build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { loadCompiler } from '../../framework/client-gen/load-compiler.js';
import { compilers, project, removeProjects } from '../../framework/conformance/inferred-project.js';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeOutDir } from '../bundle/bundle-folder.js';
import { type Bundle, Bundler } from '../bundle/bundler.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { Generation } from './generation.js';

const { loadCompiler: load } = await vi.importActual<{ loadCompiler: typeof loadCompiler }>(
  '../../framework/client-gen/load-compiler.js',
);
vi.mock('../../framework/client-gen/load-compiler.js', async (original) => {
  const real = await original<{ loadCompiler: typeof loadCompiler }>();
  return { ...real, loadCompiler: vi.fn(real.loadCompiler) };
});

afterAll(removeProjects);

let root: AbsolutePath;
let contract: ContractSource;
let generation: Generation;
const expected: Bundle[] = [];

beforeEach(() => {
  expected.length = 0;
  root = project('typescript', "rpc.query('one', () => 1);");
  const entry = pathIn(root, 'src/generate-client.ts');
  writeFileSync(entry, "import 'some-package';\nimport './main.js';\n");
  contract = new ContractSource(root, pathIn(root, 'src/rpc-contract.json'));
  const outDir = makeOutDir(root);
  const bundler = new Bundler(esbuild, root, () => entry, outDir);
  onTestFinished(async () => {
    contract.close();
    await bundler.dispose();
  });
  const files = { source: pathIn(root, 'client.ts') };
  const runner = {
    run: async () => ({ title: 'not run here', frames: [], details: '' }),
    expect: (bundle: Bundle) => void expected.push(bundle),
  };
  const maker = new ClientMaker(files, runner, esbuild, outDir);
  const settings = {
    root,
    client: { entry, files },
    contract: pathIn(root, 'src/rpc-contract.json'),
    baseUrl: undefined,
  };
  generation = new Generation(settings, bundler, contract, maker);
});

it('says what it does, and how many procedures are done', async () => {
  writeFileSync(
    pathIn(root, 'src/more.ts'),
    "import { rpc } from './main.js';\nrpc.query('two', () => 2);\nrpc.query('three', () => 3);\n",
  );
  const steps: string[] = [];
  await generation.run([], false, { onStep: (text) => steps.push(text) });
  const all = steps.filter((text) => text.startsWith('Inferring')).length;
  expect(all).toBeGreaterThan(0);
  expect(steps).toEqual([
    ...Array.from({ length: all }, (_, done) => `Inferring the types of procedures, ${done} of ${all}`),
    'Building the program that writes the client',
    'Running the program that writes the client',
  ]);
});

it('tells the packages of the program before the types are inferred, once', async () => {
  await generation.run([], true);
  expect(expected.map(({ packages }) => packages)).toEqual([['some-package']]);
  writeFileSync(
    pathIn(root, 'src/main.ts'),
    "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('two', () => 2);",
  );
  await generation.run([pathIn(root, 'src/main.ts')], true);
  expect(expected).toHaveLength(1);
});

it('tells the packages when the compiler has read the program, not before', async () => {
  const steps: string[] = [];
  vi.mocked(loadCompiler).mockImplementationOnce(async (...args) => {
    const compiler = await load(...args);
    const [open, registrations] = [compiler.open?.bind(compiler), compiler.registrations.bind(compiler)];
    return Object.assign(compiler, {
      open() {
        open?.();
        steps.push(`read, ${expected.length} told`);
      },
      registrations(known: Parameters<typeof registrations>[0]) {
        steps.push(`inferred, ${expected.length} told`);
        return registrations(known);
      },
    });
  });
  await generation.run([], true);
  expect(steps).toEqual(['read, 0 told', 'inferred, 1 told']);
});

it('tells nothing of a build that fails', async () => {
  writeFileSync(join(root, 'src/generate-client.ts'), "import './missing.js';\n");
  expect(await generation.run([], true)).toMatchObject({ ok: false, build: [{}] });
  expect(expected).toEqual([]);
});

it('infers nothing before what waits for the compiler is done', async () => {
  const steps: string[] = [];
  const inferred = contract.infer([], async () => {
    await new Promise((resume) => setTimeout(resume, 50));
    steps.push('open');
  });
  await inferred.then(() => steps.push('inferred'));
  await contract.infer([pathIn(root, 'src/main.ts')], async () => void steps.push('open again'));
  expect(steps).toEqual(['open', 'inferred']);
});

it.each(compilers)(
  'begins with %s only if it has a process of its own, and loads it once',
  async (name, typescript) => {
    const app = project(typescript, "rpc.query('one', () => 1);");
    const begun = new ContractSource(app, absolutePath('/app/src/rpc-contract.json'), false);
    onTestFinished(() => begun.close());
    vi.mocked(loadCompiler).mockClear();
    await begun.begin();
    expect(loadCompiler).toHaveBeenCalledTimes(name === 'TypeScript 7' ? 1 : 0);
    const opened = vi.fn(async () => {});
    const { types } = await begun.infer([], opened);
    expect(Object.keys(types.procedures)).toEqual(['one']);
    expect(opened).toHaveBeenCalledTimes(1);
    expect(vi.mocked(loadCompiler).mock.calls.map(([, options]) => options)).toEqual([
      { once: true, config: pathIn(app, 'tsconfig.json') },
    ]);
  },
);

it('does not begin without TypeScript', async () => {
  const without = new ContractSource(pathIn(root, 'src'), absolutePath('/app/src/rpc-contract.json'), false);
  vi.mocked(loadCompiler).mockClear();
  await without.begin();
  expect(loadCompiler).not.toHaveBeenCalled();
});
