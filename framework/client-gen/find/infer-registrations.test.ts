import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../../conformance/inferred-project.js';
import { plain } from '../../conformance/plain-type.js';
import { type AbsolutePath, pathIn } from '../../files/absolute-path.js';
import { parseType } from '../../wire/read/parse-type.js';
import { inferTypes } from '../infer-from.js';
import { loadCompiler } from '../load-compiler.js';

afterAll(removeProjects);

describe.each(compilers)('with %s', (_name, typescript) => {
  it('finds the place of every procedure with a literal name, from any source of types', async () => {
    const code = `
rpc.query('inferred', () => 1);
rpc
  .mutation('schemas.both', { input: {}, output: {} }, () => 1)
  .queryWithTypes('texts', () => 1, 'void', 'number');
rpc.registerWithTypes(\`old\`, () => 1, 'void', 'number');
new RpcRegistry().queryWithTypes('texts', () => 2, 'void', 'number');
rpc.queryWithTypes(['un', 'known'].join(''), () => 1, 'void', 'number');
({ queryWithTypes(name: string, handler: unknown) {} }).queryWithTypes('other', () => 1);
`;
    const { places, procedures, warnings } = await infer(project(typescript, code));
    const described = Object.entries(places).map(([name, found]) => [
      name,
      ...found.map(({ file, line, column }) => `${file.replace(/.*\/src\//, '')}:${line}:${column}`),
    ]);
    expect(described.sort()).toEqual([
      ['inferred', 'main.ts:4:11'],
      ['old', 'main.ts:8:23'],
      ['schemas.both', 'main.ts:6:13'],
      ['texts', 'main.ts:7:19', 'main.ts:9:34'],
    ]);
    expect(Object.keys(procedures)).toEqual(['inferred']);
    expect(warnings).toEqual([]);
  });

  it('gives the procedures of a group their whole names', async () => {
    const code = `
const users = RpcRegistry.group('users');
users.query('list', () => ['ada']).query('count', () => 1 as number);
const admin = RpcRegistry.group('admin.users').use({ user: '' });
for (const name of ['on', 'off'] as const) admin.mutation(name, (input: { id: string }) => input.id);
const maybe = users as typeof users | undefined;
maybe?.queryWithTypes('texts', () => 1, 'void', 'number');
rpc.query('list', () => 1 as number);
function add<Name extends string>(any: RpcRegistry<unknown, Name>) { any.query('generic', () => 2 as number); }
`;
    const { procedures, places, warnings } = await infer(project(typescript, code));
    expect(Object.keys(procedures)).toEqual([
      'admin.users.off',
      'admin.users.on',
      'generic',
      'list',
      'users.count',
      'users.list',
    ]);
    expect(plain(procedures['users.list']?.output)).toEqual(plain(parseType('string[]')));
    expect(plain(procedures.list?.output)).toEqual(plain(parseType('number')));
    expect(Object.keys(places)).toContain('users.texts');
    expect(warnings).toEqual([]);
  });

  it('finds registrations with type arguments, also if a file has no others', async () => {
    const code = `
class Typed extends RpcRegistry {
  override query<Input = void>(name: string, ...rest: unknown[]): this { return this; }
}
new Typed()
  .query<{ id: string }>('typed', (input: { id: string }) => input.id)
  .query <void>('spaced', () => 1 as number);
`;
    const { procedures, warnings } = await infer(project(typescript, code));
    expect(warnings).toEqual([]);
    expect(Object.keys(procedures).sort()).toEqual(['spaced', 'typed']);
    expect(plain(procedures.typed?.input)).toEqual(plain(parseType('{ id: string }')));
  });

  it('finds registrations on every expression that may be a registry, and names that are constants', async () => {
    const code = `
const maybe = rpc as RpcRegistry | undefined;
maybe?.query('optional', () => 1 as number);
class Own extends RpcRegistry { setUp() { this.query('inside', () => 1 as number); } }
class Further extends Own {}
new Further().query('subclass', () => 1 as number);
export function add<R extends RpcRegistry>(registry: R) { registry.query('generic', () => 1 as number); }
const name = 'constant';
const names = { member: 'of.object' } as const;
rpc.query(name, () => 1 as number).query(names.member, () => 1 as number);
for (const one of ['loop.a', 'loop.b'] as const) rpc.query(one, () => 1 as number);
rpc.query('common', () => 1 as number);
new RpcRegistry().query('common', () => 2 as number);
`;
    const directory = project(typescript, code);
    writeFileSync(
      pathIn(directory, 'src/main.test.ts'),
      "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('common', () => 'of a test');",
    );
    const { procedures, places, warnings } = await infer(directory);
    expect(warnings).toEqual([]);
    expect(Object.keys(procedures)).toEqual([
      ...['common', 'constant', 'generic', 'inside', 'loop.a', 'loop.b', 'of.object', 'optional', 'subclass'],
    ]);
    expect(places['loop.b']?.[0]).toMatchObject({ line: 13, column: 60 });
  });

  it('reads options by their type if they are not a literal', async () => {
    const code = `
const guarded = { use: [] };
rpc.query('a', guarded, (input: { x: string }) => 1 as number);
rpc.query('b', { ...guarded, input: {} }, (input: Map<string, string>) => 1 as number);
rpc.query('c', { use: [] } as const, (input: { x: string }) => 1 as number);
rpc.query('d', {} as Record<string, object>, (input: Map<string, string>) => new Map());
`;
    const { procedures } = await infer(project(typescript, code));
    expect(Object.keys(procedures)).toEqual(['a', 'b', 'c']);
    expect(plain(procedures.a?.input)).toEqual(plain(parseType('{ x: string }')));
    expect(procedures.b).toMatchObject({ input: { kind: 'unknown' }, output: { kind: 'number' } });
    expect(procedures.c?.input).toEqual(procedures.a?.input);
  });

  it('does not infer types that schemas declare', async () => {
    const code = `
const both = { input: {}, output: {} };
rpc.query('a', { input: {} }, (input: { x: Map<string, string> }) => 1 as number);
rpc.query('b', both, (input: Map<string, string>) => new Map());
`;
    const { procedures } = await infer(project(typescript, code));
    expect(procedures.a).toMatchObject({ input: { kind: 'unknown' }, output: { kind: 'number' } });
    // There is nothing left to infer.
    expect(procedures.b).toBeUndefined();
  });

  it('notices an edit', async () => {
    const directory = project(typescript, "rpc.query('x', (input: { a: number }) => 1 as number);");
    const compiler = await loadCompiler(directory);
    try {
      expect(inferTypes(compiler).procedures.x?.input).toMatchObject({ fields: [{ name: 'a' }] });
      const file = pathIn(directory, 'src/main.ts');
      writeFileSync(
        file,
        "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('x', (input: { b: number }) => 1);",
      );
      compiler.update([file]);
      expect(inferTypes(compiler).procedures.x?.input).toMatchObject({ fields: [{ name: 'b' }] });
    } finally {
      compiler.close();
    }
  });
});

describe.each(compilers)('%s, after a new file that is not imported', (_name, typescript) => {
  it('includes it, reports which settings it used, and releases it', async () => {
    const directory = project(typescript, "rpc.query('x', () => 1 as number);");
    const compiler = await loadCompiler(directory);
    const file = pathIn(directory, 'src/other.ts');
    const names = () => Object.keys(inferTypes(compiler).procedures);
    try {
      expect(names()).toEqual(['x']);
      writeFileSync(
        file,
        "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('y', () => 1 as number);",
      );
      compiler.update([file]);
      expect(names()).toEqual(['x', 'y']);
      expect(compiler.sources.registering).toEqual([pathIn(directory, 'src/main.ts'), file]);
      expect(compiler.sources.own).toContain(pathIn(directory, 'src/registry.ts'));
      rmSync(file);
      compiler.update([file]);
      expect(names()).toEqual(['x']);
      expect(compiler.sources.own).not.toContain(file);
    } finally {
      compiler.close();
    }
  });
});

describe.each(compilers)('%s, after changes of several files', (_name, typescript) => {
  it('reads a file that leaves the program, changes meanwhile, and comes back', {
    timeout: 60_000,
  }, async () => {
    const directory = project(typescript, '');
    const [main, more] = [pathIn(directory, 'src/main.ts'), pathIn(directory, 'more/more.ts')];
    const kept = pathIn(directory, 'src/kept.ts');
    const write = (type: string, isImported: boolean): void => {
      mkdirSync(join(directory, 'more'), { recursive: true });
      writeFileSync(more, `export interface More { value: ${type} }\n`);
      writeFileSync(kept, `export type Kept = '${type}';\n`);
      const imported = isImported ? "import type { More } from '../more/more.js';" : 'type More = null;';
      writeFileSync(
        main,
        `import { RpcRegistry } from './registry.js';\nimport type { Kept } from './kept.js';\n${imported}\nnew RpcRegistry().query('x', (input: More): Kept => null as never);\n`,
      );
    };
    write('string', true);
    const compiler = await loadCompiler(directory);
    try {
      const text = () => JSON.stringify(inferTypes(compiler));
      const steps = [
        ['string', true, [main]],
        ['number', true, [more, kept]],
        ['boolean', false, [main, kept]],
        ['string', false, [more, kept]],
        ['number', true, [main, kept, more]],
      ] as const;
      for (const [type, isImported, changed] of steps) {
        write(type, isImported);
        compiler.update(changed);
        expect(text()).toBe(JSON.stringify(await infer(directory)));
      }
      for (const file of [more, kept]) rmSync(file);
      compiler.update([more, kept]);
      expect(text).toThrow("Cannot find module './kept.js'");
      write('boolean', true);
      compiler.update([more, kept]);
      expect(text()).toBe(JSON.stringify(await infer(directory)));
    } finally {
      compiler.close();
    }
  });
});

describe.each(compilers)('settings, with %s', (_name, typescript) => {
  const withSettings = (text: string): AbsolutePath => {
    const directory = project(typescript, "rpc.query('x', (input: { a: string | null }) => 1 as number);");
    writeFileSync(join(directory, 'tsconfig.json'), text);
    return directory;
  };
  const described = (directory: string) =>
    infer(directory).then(
      ({ warnings, procedures }) => [
        ...Object.keys(procedures),
        ...warnings.map(({ place, message }) =>
          `${place.file}:${place.line} ${message}`.replaceAll(directory, ''),
        ),
      ],
      (error: Error) => error.message.replaceAll(directory, '').split('\n')[0],
    );

  it('with mistakes are an error with its place', async () => {
    expect(
      await described(
        withSettings('{ "compilerOptions": {\n  "nope": 1, "lib": ["es2023"], "types": []\n} }'),
      ),
    ).toBe("/tsconfig.json:2:3: Unknown compiler option 'nope'. (TS5023)");
    expect(await described(withSettings('{ "include": ["src"],\n'))).toBe(
      "/tsconfig.json:2:1: '}' expected. (TS1005)",
    );
    expect(await described(withSettings('{ "extends": "./base.json" }'))).toBe(
      "/tsconfig.json:1:1: Cannot read file '/base.json'. (TS5083)",
    );
  });

  it('that were corrected are used from then on', async () => {
    const good =
      '{ "compilerOptions": { "strict": true, "module": "nodenext", "lib": ["es2023"], "types": [] } }';
    const directory = withSettings('{ "compilerOptions": { "module": "none of them", "types": [] } }');
    const compiler = await loadCompiler(directory);
    try {
      expect(() => inferTypes(compiler)).toThrow('TS6046');
      const file = pathIn(directory, 'tsconfig.json');
      writeFileSync(file, good);
      compiler.update([file]);
      expect(Object.keys(inferTypes(compiler).procedures)).toEqual(['x']);
    } finally {
      compiler.close();
    }
  });

  it('that exclude a part of the app cause a warning', async () => {
    expect(await described(withSettings('{ "files": [], "references": [{ "path": "./src" }] }'))).toEqual([
      '/tsconfig.json:1 names no file of the app, and nothing is inferred; list the sources in "include", here or in a file that "references" names',
    ]);
    expect(await described(withSettings('{ "files": [] }'))).toEqual([
      expect.stringContaining('/tsconfig.json:1 names no file of the app'),
    ]);
    const loose = {
      compilerOptions: { strict: false, module: 'nodenext', lib: ['es2023'], types: [] },
      include: ['src'],
    };
    expect(await described(withSettings(`\uFEFF${JSON.stringify(loose)}`))).toEqual([
      'x',
      '/tsconfig.json:1 strictNullChecks is off: null and undefined are not recognized in inferred types; set "strict": true',
    ]);
    Object.assign(loose.compilerOptions, { strict: true, strictNullChecks: false });
    expect(await described(withSettings(JSON.stringify(loose)))).toEqual([
      'x',
      expect.stringContaining('strictNullChecks is off'),
    ]);
  });

  it('may link a package of the workspace, whose names are resolved as those of the app', async () => {
    const directory = project(
      typescript,
      "import type { Shared } from 'shared';\nrpc.query('x', (input: Shared) => 1 as number);",
    );
    const shared = pathIn(directory, 'packages/shared');
    mkdirSync(shared, { recursive: true });
    writeFileSync(
      join(shared, 'package.json'),
      '{ "name": "shared", "type": "module", "exports": "./index.ts" }',
    );
    writeFileSync(join(shared, 'index.ts'), 'export interface Shared { id: string }');
    symlinkSync(shared, join(directory, 'node_modules/shared'));
    expect(Object.keys((await infer(directory)).named)).toEqual(['Shared']);
  });
});

describe('a project', () => {
  it('requires a supported version of TypeScript', async () => {
    const directory = project('typescript', '');
    rmSync(join(directory, 'node_modules/typescript'));
    await expect(loadCompiler(directory)).rejects.toThrow('npm install -D typescript');
    mkdirSync(join(directory, 'node_modules/typescript'));
    writeFileSync(join(directory, 'node_modules/typescript/package.json'), '{ "version": "5.4.2" }');
    await expect(loadCompiler(directory)).rejects.toThrow(
      'TypeScript 5.4.2 is not supported for inferring types; install one of these: 5.9, 6.0 and 7.0 (npm install -D typescript@7.0)',
    );
    rmSync(join(directory, 'tsconfig.json'));
    await expect(loadCompiler(directory)).rejects.toThrow('tsconfig.json is missing');
  });

  it('may have been installed on another system', async () => {
    const directory = project('typescript', '');
    const installed = join(directory, 'node_modules/typescript');
    const source = realpathSync(installed);
    rmSync(installed);
    cpSync(source, installed, { recursive: true });
    const name = `@typescript/typescript-${process.platform}-${process.arch}`;
    await expect(loadCompiler(directory)).rejects.toThrow(
      `is installed without ${name}, its compiler for this system; node_modules may come from another system: delete it and install again here`,
    );
  });

  it.each(['5.8.3', '5.9.0', '5.9.3', '6.0.0', '6.1.0', '7.0.2', '7.1.0', '8.0.0'])(
    'with TypeScript %s is read if and only if the peer range of the package allows it',
    async (version) => {
      const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
      const ranges: string[] = JSON.parse(manifest).peerDependencies.typescript.split(' || ');
      // '~5.9.0' allows versions that begin with '5.9.'.
      const allowed = ranges.some((range) => version.startsWith(range.slice(1, -1)));
      const directory = project('typescript', '');
      rmSync(join(directory, 'node_modules/typescript'));
      mkdirSync(join(directory, 'node_modules/typescript'));
      writeFileSync(join(directory, 'node_modules/typescript/package.json'), JSON.stringify({ version }));
      // An allowed version fails later, because the package contains no compiler.
      const refused = await loadCompiler(directory).then(
        () => false,
        (error: Error) => error.message.includes('is not supported'),
      );
      expect(refused).toBe(!allowed);
    },
  );
});
