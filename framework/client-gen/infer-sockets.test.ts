import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, removeProjects, socketProject } from '../conformance/inferred-project.js';
import { contractText } from '../rpc/contract/contract-text.js';
import { InferenceError } from './inferred-types.js';

afterAll(removeProjects);

interface Sockets {
  readonly sockets?: Readonly<Record<string, object>>;
  readonly named: Readonly<Record<string, string>>;
}

describe.each(compilers)('sockets, with %s', (_name, typescript) => {
  const inferred = async (code: string, others: Readonly<Record<string, string>> = {}) => {
    const directory = socketProject(typescript, code);
    for (const [file, text] of Object.entries(others)) writeFileSync(join(directory, 'src', file), text);
    const types = await infer(directory);
    const { sockets = {}, named } = JSON.parse(contractText(types)) as Sockets;
    const warnings = types.warnings.map(({ place, message }) =>
      `${place.file}:${place.line} ${message}`.replaceAll(`${directory}/src/`, ''),
    );
    return { sockets, named, warnings };
  };

  it('have the data of the events that plain types declare', async () => {
    const code = `
export interface User { id: string; at: Date; friends?: User[] }
interface FromClient { say: { text: string }; typing: void; pick: 'a' | 'b'; maybe?: number }
type FromServer = { said: { from: User; text: string }; count: number };
app.websocket('/rooms/:room', Path('room'), websocket({
  receives: events<FromClient>(),
  sends: events<FromServer>(),
  on: {},
}));
app.websocket(route('/feed', { tags: [] }), websocket({ sends: events<{ tick: [number, string] }>() }));
const chat = websocket({ receives: events<{ a: string }>() });
const handlers = { receives: events<{ spread: string }>() };
app.websocket('/spread', websocket({ ...handlers }));
const path = '/chat' as const;
app.websocket(path, chat);
new App<'/orgs/:org'>().websocket('/live', websocket({ receives: events<{ b: boolean }>() }));
`;
    const { sockets, named, warnings } = await inferred(code);
    expect(warnings).toEqual([]);
    expect(sockets).toEqual({
      '/rooms/:room': {
        receives: { maybe: 'number', pick: "'a' | 'b'", say: '{ text: string }', typing: 'void' },
        sends: { count: 'number', said: '{ from: User, text: string }' },
      },
      '/feed': { sends: { tick: '[number, string]' } },
      '/chat': { receives: { a: 'string' } },
      '/spread': { receives: { spread: 'string' } },
      '/orgs/:org/live': { prefix: '/orgs/:org', receives: { b: 'boolean' } },
    });
    expect(Object.keys(named)).toEqual(['User']);
  });

  it('say nothing of events that have schemas, or of what is not an App', async () => {
    const code = `
const other = { websocket(path: string, ...rest: unknown[]) { return rest; } };
other.websocket('/none', websocket({ receives: events<{ a: string }>() }));
app.websocket('/schemas', websocket({ receives: { a: schema<string>() }, sends: { b: schema<number>() } }));
app.websocket('/mixed', websocket({ receives: { a: schema<bigint>() }, sends: events<{ b: number }>() }));
app.websocket('/raw', websocket({ onOpen() {} }));
const named = websocket({ receives: { a: schema<symbol>() } });
app.websocket('/named', named);
app.websocket('no path', websocket({ receives: events<{ a: string }>() }));
`;
    const { sockets, warnings } = await inferred(code);
    expect(warnings).toEqual([]);
    expect(sockets).toEqual({ '/mixed': { sends: { b: 'number' } } });
  });

  it('have a comment if a client is made of it', async () => {
    const code = `
/** The messages of a room. */
app.websocket('/rooms', websocket({ receives: events<{ a: string }>() }));
app
  /**
   * Old.
   * @deprecated use /rooms
   */
  .websocket('/old', websocket({ sends: { a: schema<string>() } }));
`;
    const bare = { '/rooms': { receives: { a: 'string' } } };
    expect((await inferred(code)).sockets).toEqual(bare);
    const client = { 'client.ts': 'export declare function clientFromApp(): void;\nclientFromApp();\n' };
    expect((await inferred(code, client)).sockets).toEqual({
      '/rooms': { receives: { a: 'string' }, description: 'The messages of a room.' },
      '/old': { description: 'Old.', deprecated: 'use /rooms' },
    });
  });

  it('warn of any, and refuse what JSON does not have', async () => {
    const loose = await inferred(
      `app.websocket('/a', websocket({ receives: events<{ say: { text: any } }>() }));`,
    );
    expect(loose.warnings).toEqual([
      'main.ts:3 socket /a: receives.say.text is any, which is not checked; give it a type',
    ]);
    const code = `app.websocket('/a', websocket({
  receives: events<{ say: { n: bigint } }>(), sends: events<{ said: () => void }>(),
}));`;
    const error: unknown = await inferred(code).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InferenceError);
    expect((error as InferenceError).findings.map(({ message }) => message)).toEqual([
      'socket /a: receives.say.n is a bigint, which JSON does not have; use a string',
      expect.stringContaining('socket /a: sends.said is a function'),
    ]);
  });

  it('of one path have one type', async () => {
    const code = `
app.websocket('/', websocket({ receives: events<{ a: string }>() }));
new App().websocket('/', websocket({ receives: events<{ a: string }>() }));
`;
    expect((await inferred(code)).sockets).toEqual({ '/': { receives: { a: 'string' } } });
    const other = `${code}new App().websocket('/', websocket({ receives: events<{ a: number }>() }));`;
    await expect(inferred(other)).rejects.toThrow(
      /main\.ts:6:\d+: the socket \/ is registered on another App too, at .*main\.ts:4, with other events/,
    );
    const client = { 'client.ts': 'export declare function clientFromApp(): void;\nclientFromApp();\n' };
    const old = `${code}/** @deprecated */\nnew App().websocket('/', websocket({ receives: events<{ a: string }>() }));`;
    await expect(inferred(old, client)).rejects.toThrow('with other events or another comment');
  });
});
