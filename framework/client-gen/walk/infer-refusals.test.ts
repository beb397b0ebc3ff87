import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../../conformance/inferred-project.js';
import { plain } from '../../conformance/plain-type.js';
import { parseType } from '../../wire/read/parse-type.js';
import { InferenceError } from '../inferred-types.js';

afterAll(removeProjects);

describe.each(compilers)('with %s', (_name, typescript) => {
  it('refuses types that cannot be sent as JSON, each with its place', async () => {
    const code = `
interface Bag { run(): void; big: bigint }
rpc.query('a', (input: { map: Map<string, number> }) => 1);
rpc.query('b', () => new Set<string>());
rpc.query('c', () => ({ id: 1n }));
rpc.query('d', (input: { since: Date }) => 1);
rpc.query('e', (input: Bag) => 1);
rpc.query('f', () => new Uint8Array(1));
rpc.query('g', () => Symbol('x'));
rpc.query('h', <T>(input: T) => 1);
`;
    const error = await infer(project(typescript, code)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InferenceError);
    const found = (error as InferenceError).findings.map(
      ({ place, message }) => `${place.file.replace(/.*\/src\//, '')}:${place.line} ${message}`,
    );
    expect(found).toEqual([
      "main.ts:5 query 'a': input.map is a Map, which JSON does not have; use an object, or an array of pairs",
      "main.ts:6 query 'b': output is a Set, which JSON does not have; use an array",
      "main.ts:7 query 'c': output.id is a bigint, which JSON does not have; use a string",
      "main.ts:8 query 'd': input.since is a Date, but a string arrives; use a string, or a schema that converts it to a Date",
      "main.ts:4 query 'e': input.run is a function, which cannot be sent as JSON; leave it out",
      "main.ts:4 query 'e': input.big is a bigint, which JSON does not have; use a string",
      "main.ts:10 query 'f': output is a Uint8Array, which JSON does not have; use a base64 string",
      "main.ts:11 query 'g': output is a symbol, which JSON does not have; use a string",
      "main.ts:12 query 'h': input is a type parameter; declare a specific type in the handler",
    ]);
  });

  it('refuses types that only look like an object, once for each', async () => {
    const code = `
class Failure extends Error { code = 1; }
class Shape { get area() { return 1; } }
rpc.query('a', () => new Failure());
rpc.query('b', () => new Shape());
rpc.query('c', () => ({ list: [1] as Iterable<number> }));
rpc.query('d', () => new Response());
rpc.query('e', () => ({ later: Promise.resolve(1) }));
rpc.query('f', (input: { run: { (): void; name2: string }; make: typeof Shape }) => 1);
rpc.query('g', <T extends { toString(): string }>(input: T) => 1);
rpc.query('h', (input: bigint & { __brand: 1 }) => 1);
rpc.query('i', (input: Box<string>) => 1);
interface Box<T> { value: T; next: Box<T[]> }
`;
    const error = await infer(project(typescript, code)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InferenceError);
    const found = (error as InferenceError).findings.map(({ place, message }) => `${place.line} ${message}`);
    expect(found).toEqual([
      "6 query 'a': output is an Error, which JSON does not have; use its message, a string",
      "5 query 'b': output.area is a getter of a class, which JSON leaves out; return an object",
      "8 query 'c': output.list is an Iterable, which JSON does not have; use an array",
      "9 query 'd': output is a Response, which has methods and cannot be sent as JSON; use only the fields that you need",
      "10 query 'e': output.later is a Promise, which JSON does not have; await it before you return it",
      "11 query 'f': input.run is a function, which cannot be sent as JSON; leave it out",
      "11 query 'f': input.make is a function, which cannot be sent as JSON; leave it out",
      "12 query 'g': input.toString is a function, which cannot be sent as JSON; leave it out",
      "13 query 'h': input is a bigint, which JSON does not have; use a string",
      expect.stringMatching(
        /^15 query 'i': input(?:\.next)+… is nested deeper than 100 levels, or without end; name the inner types$/,
      ),
    ]);
  });

  it('says what to send instead of a built-in type, up to 10 times', async () => {
    const types = ['ReadonlySet<string>', 'SharedArrayBuffer', 'PromiseLike<string>', 'WeakRef<object>'];
    const more = ['BigInt64Array', 'Object', 'WeakMap<object, string>', 'ArrayBuffer', 'RegExp', 'String'];
    const fields = [...types, ...more, 'Number'].map((type, index) => `f${index}: ${type}`).join('; ');
    const refused = infer(project(typescript, `rpc.query('a', () => null as unknown as { ${fields} });`));
    const error = await refused.catch((thrown: unknown) => thrown as InferenceError);
    expect((error as InferenceError).findings.map(({ message }) => message.slice('query '.length))).toEqual([
      "'a': output.f0 is a ReadonlySet, which JSON does not have; use an array",
      "'a': output.f1 is a SharedArrayBuffer, which JSON does not have; use a base64 string",
      "'a': output.f2 is a PromiseLike, which JSON does not have; await it before you return it",
      "'a': output.f3 is a WeakRef, which JSON does not have; use the object that it refers to",
      "'a': output.f4 is a BigInt64Array, which JSON does not have; use a base64 string",
      "'a': output.f5 is an Object, which JSON does not have; use Record<string, unknown>",
      "'a': output.f6 is a WeakMap, which JSON does not have; use an object",
      "'a': output.f7 is an ArrayBuffer, which JSON does not have; use a base64 string",
      "'a': output.f8 is a RegExp, which JSON does not have; use its source, a string",
      "'a': output.f9 is a String, which JSON does not have; use string",
    ]);
  });

  it('warns of handlers with several signatures, and of tuples that it cannot determine', async () => {
    const code = `
function either(input: string): number; function either(input: number): string;
function either(input: string | number) { return input as never; }
rpc.query('a', either);
rpc.query('b', (input: [...string[], number]) => 1 as number);
`;
    const { warnings, procedures } = await infer(project(typescript, code));
    expect(warnings.map(({ message, place }) => `${place.line} ${message}`)).toEqual([
      "6 the handler of 'a' has 2 signatures, and its types are not inferred; give a function with one: (input: …) => handler(input)",
      "7 query 'b': input has items after its rest element: it becomes an array of any of them; put the rest element last",
    ]);
    expect(Object.keys(procedures)).toEqual(['b']);
    expect(plain(procedures.b?.input)).toEqual(plain(parseType('(string | number)[]')));
  });

  it('refuses a name that means one type in an input and another in an output', async () => {
    const code = `
export interface Item { a: 1 }
export namespace Other { export interface Item { b: 1 } }
rpc.query('a', (input: Item): Other.Item => ({ b: 1 }));
`;
    const directory = project(typescript, code);
    const error = await infer(directory).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message.replaceAll(directory, '')).toBe(
      '/src/main.ts:5:26: two types are named Item, here and at /src/main.ts:4; rename one of them',
    );
  });

  it('warns of any, and of names that are not literals', async () => {
    const code = `
const name = 'dynamic' as string;
rpc.query(name, () => 1);
rpc.query('loose', (input: { a: any }) => JSON.parse('1'));
`;
    const { warnings, procedures } = await infer(project(typescript, code));
    expect(warnings.map(({ message }) => message)).toEqual([
      "the types of a procedure whose name is not a literal cannot be inferred; in a loop, take the names from a list of literals, such as ['a', 'b'] as const",
      "query 'loose': input.a is any, which is not checked; give it a type",
      "query 'loose': output is any, which is not checked; give it a type",
    ]);
    expect(procedures.loose).toMatchObject({ output: { kind: 'unknown' } });
  });

  it('reports only the errors of the code if it does not compile', async () => {
    const error = await infer(
      project(typescript, "rpc.query('x', (input: { a: Missing }) => input.a.b);"),
    ).catch((thrown: unknown) => thrown as InferenceError);
    expect((error as InferenceError).findings.map(({ message }) => message)).toEqual([
      "Cannot find name 'Missing'. (TS2304)",
    ]);
  });

  it('reports errors of the syntax, with their places', async () => {
    const code = "rpc.query('x', (input: { a: any }) => JSON.parse('1');\n";
    const error = (await infer(project(typescript, code)).catch(
      (thrown: unknown) => thrown,
    )) as InferenceError;
    expect(error).toBeInstanceOf(InferenceError);
    expect(error.findings.map(({ message }) => message)).toEqual(["')' expected. (TS1005)"]);
    expect(error.findings[0]?.place).toMatchObject({ line: 3, column: 54 });
  });

  it('names every procedure whose name registration refuses, not only the first one', async () => {
    const directory = project(
      typescript,
      "rpc.query('then', () => 1);\nrpc.query('fine', () => 1);\nrpc.mutation('users.constructor', () => 1);\nrpc.query('rpc.x', () => 1);",
    );
    const error = (await infer(directory).catch((thrown: unknown) => thrown)) as InferenceError;
    expect(error.findings.map(({ message }) => message)).toEqual([
      'a procedure cannot be named "then": awaiting the client would call it; rename it',
      `a procedure cannot be named "users.constructor": of 'constructor', every class has a constructor already; rename it`,
      `the procedure name "rpc.x" starts with 'rpc.', which JSON-RPC 2.0 reserves (section 4.3); rename it`,
    ]);
    expect(error.findings.map(({ place }) => place?.line)).toEqual([3, 5, 6]);
  });

  it('refuses one name for two types, and for two procedures', async () => {
    const directory = project(
      typescript,
      `import type { Item as Other } from './other.js';
export interface Item { a: string }
rpc.query('one', (input: { mine: Item; theirs: Other }) => 1);
rpc.mutation('two', () => 1);
rpc.query('two', () => 1);`,
    );
    writeFileSync(join(directory, 'src/other.ts'), 'export interface Item { b: number }');
    const error = (await infer(directory).catch((thrown: unknown) => thrown)) as InferenceError;
    expect(error.findings.map(({ message }) => message.replaceAll(directory, ''))).toEqual([
      'two types are named Item, here and at /src/main.ts:4; rename one of them',
      "procedure 'two' is registered at /src/main.ts:6 too, with other types; rename one of them",
    ]);
  });
});
