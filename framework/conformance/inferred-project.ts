// Small projects that register procedures, to infer from with either compiler.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InferredTypes, inferTypes } from '../client-gen/infer-types.js';
import { loadCompiler } from '../client-gen/load-compiler.js';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const made: string[] = [];

const registry = `
export class RpcRegistry<Added = unknown, Prefix extends string = ''> {
  static group<const Prefix extends string>(name: Prefix): RpcRegistry<unknown, Prefix> {
    return new RpcRegistry<unknown, Prefix>();
  }
  get prefix(): Prefix { return '' as Prefix; }
  use<More>(middleware: More): RpcRegistry<Added & More, Prefix> { return this as never; }
  query(name: string, ...rest: unknown[]): this { return this; }
  mutation(name: string, ...rest: unknown[]): this { return this; }
  subscription(name: string, ...rest: unknown[]): this { return this; }
  queryWithTypes(name: string, handler: unknown, input: string, output: string): this { return this; }
  registerWithTypes(name: string, handler: unknown, input: string, output: string): this { return this; }
}
export class Tracked<Value> {
  constructor(readonly id: string, readonly value: Value) {}
}
export const tracked = <Value>(id: string, value: Value): Tracked<Value> => new Tracked(id, value);`;

/** A project with this code in src/main.ts, and the TypeScript of that name. */
export function project(typescript: string, code: string): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'fw-infer-')));
  made.push(directory);
  mkdirSync(join(directory, 'src'));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(join(modules, typescript), join(directory, 'node_modules/typescript'));
  symlinkSync(join(modules, '@types'), join(directory, 'node_modules/@types'));
  symlinkSync(join(modules, 'undici-types'), join(directory, 'node_modules/undici-types'));
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    types: ['node'],
    noEmit: true,
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'src/registry.ts'), registry);
  writeFileSync(
    join(directory, 'src/main.ts'),
    `import { RpcRegistry } from './registry.js';\nconst rpc = new RpcRegistry();\n${code}`,
  );
  return directory;
}

export async function infer(directory: string): Promise<InferredTypes> {
  const compiler = await loadCompiler(directory);
  try {
    return inferTypes(compiler);
  } finally {
    compiler.close();
  }
}

/** For `describe.each`: what a compiler is called, and the package that has it. */
export const compilers: readonly (readonly [string, string])[] = [
  ['TypeScript 7', 'typescript'],
  ['TypeScript 6', 'typescript-6'],
  ['TypeScript 5.9', 'typescript-5.9'],
];

export function removeProjects(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}
