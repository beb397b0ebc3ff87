import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  compilers,
  project,
  removeProjects,
  routeProject,
} from '../../framework/conformance/inferred-project.js';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { ContractSource } from './contract.js';
import { ContractGeneration } from './open-generation.js';

afterAll(removeProjects);

function generation(root: AbsolutePath): {
  readonly generation: ContractGeneration;
  readonly file: string;
} {
  const file = pathIn(root, 'src/rpc-contract.json');
  const source = new ContractSource(root, pathIn(root, 'src/rpc-contract.json'));
  onTestFinished(() => source.close());
  const settings = { root, client: undefined, contract: file, baseUrl: undefined };
  return { generation: new ContractGeneration(settings, source), file };
}

const route = (type: string): string =>
  `import { App, Ctx, openApiFromApp } from './app.js';\nopenApiFromApp(new App().get('/a', Ctx, () => [1 as ${type}]));`;

describe('an app without procedures', () => {
  it('gets a contract of its routes, written only when it changes and only if asked to', async () => {
    const root = routeProject('typescript', '');
    const main = pathIn(root, 'src/main.ts');
    writeFileSync(main, route('number'));
    const { generation: run, file } = generation(root);
    const written: string[] = [];
    const onWrite = (name: string) => written.push(name);
    expect(await run.run([], false, { onWrite })).toMatchObject({
      ok: true,
      contract: { before: undefined },
    });
    expect(existsSync(file)).toBe(false);
    expect(await run.run([], true, { onWrite })).toMatchObject({ ok: true, client: { files: [] } });
    expect(JSON.parse(readFileSync(file, 'utf8')).routes).toEqual({
      'GET /a': { answers: { 200: { 'application/json': 'number[]' } } },
    });
    expect(run.concerns([pathIn(root, 'README.md')])).toBe(false);
    writeFileSync(main, route('string'));
    expect(run.concerns([main])).toBe(true);
    await run.run([main], true, { onWrite });
    await run.run([main], true, { onWrite });
    expect(written).toEqual([file, file]);
    expect(readFileSync(file, 'utf8')).toContain('string[]');
  });

  it('keeps its contract if a type cannot be read', async () => {
    const root = routeProject('typescript', '');
    const { generation: run } = generation(root);
    writeFileSync(join(root, 'tsconfig.json'), '{ "extends": "./none.json" }');
    expect(await run.run([], true)).toMatchObject({ ok: false, findings: [{}] });
  });

  it('says which "extends" leads in a circle, and goes on when it is fixed', async () => {
    const root = routeProject('typescript', '');
    const main = pathIn(root, 'src/main.ts');
    writeFileSync(main, route('number'));
    const source = new ContractSource(root, pathIn(root, 'src/rpc-contract.json'));
    onTestFinished(() => source.close());
    const config = pathIn(root, 'tsconfig.json');
    const good = readFileSync(config, 'utf8');
    const circle = (): void => {
      writeFileSync(config, '{ "extends": "./base.json" }');
      writeFileSync(join(root, 'base.json'), '{\n  "extends": "./tsconfig.json" }');
    };
    circle();
    await source.begin();
    await expect(source.infer([])).rejects.toThrow(
      /base\.json:2:3: the settings extend themselves: .*TS18000/,
    );
    writeFileSync(config, good);
    expect((await source.infer([config])).text).toContain('number[]');
    circle();
    writeFileSync(main, route('string'));
    await expect(source.infer([main, config])).rejects.toThrow('the settings extend themselves');
    writeFileSync(config, good);
    expect((await source.infer([config])).text).toContain('string[]');
  });

  it('needs a document of routes, and a client if it has procedures after all', async () => {
    await expect(generation(project('typescript', '')).generation.run([], true)).rejects.toThrow(
      'there is nothing to generate: the app has neither procedures nor a document of routes',
    );
    const registry = project('typescript', "rpc.query('a', () => 1 as number);");
    await expect(generation(registry).generation.run([], true)).rejects.toThrow(
      'the output path of the client is missing',
    );
  });
});

describe.each(compilers)('a tsconfig.json that only references others, for %s', (_name, typescript) => {
  it('leads to the one that includes the sources, also if that changes', async () => {
    const root = routeProject(typescript, '');
    const main = pathIn(root, 'src/main.ts');
    writeFileSync(main, route('number | undefined'));
    const base = readFileSync(join(root, 'tsconfig.json'), 'utf8');
    const write = (name: string, content: object) =>
      writeFileSync(join(root, name), JSON.stringify({ ...JSON.parse(base), ...content }));
    write('tsconfig.tools.json', { include: ['*.config.ts'] });
    write('tsconfig.server.json', { include: ['src'] });
    write('tsconfig.strange.json', { files: ['src/main.ts'], compilerOptions: { target: 'es1' } });
    const solution = (name: string) =>
      writeFileSync(
        join(root, 'tsconfig.json'),
        JSON.stringify({ files: [], references: [{ path: './tsconfig.tools.json' }, { path: name }] }),
      );
    solution('./tsconfig.server.json');
    const { generation: run, file } = generation(root);
    expect(await run.run([], true)).toMatchObject({ ok: true, warnings: [] });
    expect(readFileSync(file, 'utf8')).toContain('(null | number)[]');
    solution('./tsconfig.strange.json');
    expect(await run.run([pathIn(root, 'tsconfig.json'), main], true)).toMatchObject({
      ok: false,
      findings: [{ place: { file: pathIn(root, 'tsconfig.strange.json') } }],
    });
  });
});
