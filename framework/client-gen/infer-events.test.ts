import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../conformance/inferred-project.js';
import { plain } from '../conformance/plain-type.js';
import { parseType } from '../wire/read/parse-type.js';
import { InferenceError } from './inferred-types.js';

afterAll(removeProjects);

/** Name, the handler of a subscription, and the type of its events in JSON. */
const handlers: readonly (readonly [name: string, handler: string, event: string])[] = [
  [
    'generator',
    'async function* (input: { id: string }) { yield { id: input.id, at: new Date() }; }',
    '{ id: string; at: Date }',
  ],
  ['several', "async function* () { yield 1 as number; yield 'a' as string; }", 'number | string'],
  ['iterable', '(): AsyncIterable<string> => null as never', 'string'],
  ['promised', 'async (): Promise<AsyncIterable<string>> => null as never', 'string'],
  ['either', '(): AsyncIterable<string> | AsyncGenerator<number> => null as never', 'string | number'],
  ['stream', '(): ReadableStream<number> => null as never', 'number'],
  ['tracked', "async function* () { yield tracked('1', { n: 1 as number }); }", '{ n: number }'],
  [
    'partly',
    "async function* () { yield 'reset' as const; yield tracked('1', 2 as number); }",
    "'reset' | number",
  ],
  ['values of a stream', '() => new ReadableStream<number>().values()', 'number'],
  ['iterator object', '(): AsyncIteratorObject<string> => null as never', 'string'],
  ['class', '(): Feed => new Feed()', '{ title: string }'],
  ['class with an iterator', '(): Cursor => new Cursor()', 'number'],
  ['class with a class', '(): Pages => new Pages()', 'number'],
  ['void', 'async function* () { yield; }', 'void'],
];

describe.each(compilers)('with %s', (_name, typescript) => {
  it('the output of a subscription is the type of one event', async () => {
    const code = handlers.map(([name, handler]) => `rpc.subscription('${name}', ${handler});`).join('\n');
    const { procedures, named } = await infer(
      project(
        typescript,
        `import { tracked } from './registry.js';
class Feed {
  #items: { title: string }[] = [];
  async *[Symbol.asyncIterator]() { yield* this.#items; }
}
class Cursor { [Symbol.asyncIterator](): AsyncIterator<number> { return null as never; } }
class Pages { [Symbol.asyncIterator]() { return new Cursor(); } }
export interface Task { id: number }
rpc.subscription('named', async function* (input: { id: number }): AsyncGenerator<Task> {});
${code}`,
      ),
    );
    expect(procedures.named).toEqual({
      kind: 'subscription',
      input: parseType('{ id: number }'),
      output: { kind: 'ref', name: 'Task' },
    });
    expect(Object.keys(named)).toEqual(['Task']);
    for (const [name, , event] of handlers) {
      expect(plain(procedures[name]?.output ?? { kind: 'null' })).toEqual(plain(parseType(event)));
    }
  });

  it('a file is a type of the input of a mutation alone', async () => {
    const { procedures } = await infer(
      project(typescript, 'rpc.mutation("a", (input: { file: File; more?: Blob[] }) => 1);'),
    );
    expect(plain(procedures.a?.input)).toEqual(plain(parseType('{ file: File; more?: File[] }')));
    const refused = infer(
      project(
        typescript,
        'rpc.query("q", (input: { f: File }) => 1); rpc.mutation("m", () => new Blob([]));',
      ),
    );
    const remedy = 'which JSON does not have; use it in the input of a mutation, or a base64 string';
    await expect(refused).rejects.toThrow(`query 'q': input.f is a File, ${remedy}`);
    await expect(refused).rejects.toThrow(`mutation 'm': output is a Blob, ${remedy}`);
  });

  it('a handler that yields nothing is refused', async () => {
    const refused = infer(project(typescript, "rpc.subscription('a', () => [1]);"));
    await expect(refused).rejects.toThrow(InferenceError);
    await expect(refused).rejects.toThrow(
      "subscription 'a': output is not an async iterable; make the handler an async generator: async function* (input) { … }",
    );
  });
});
