// How often the inference waits for TypeScript 7.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { compilers, infer, removeProjects, routeProject } from '../../conformance/inferred-project.js';

const file = fileURLToPath(
  new URL('../../../node_modules/typescript/dist/api/syncChannel.js', import.meta.url),
);
const { SyncRpcChannel } = await import(pathToFileURL(file).href);
const [[, typescript] = ['', '']] = compilers;

afterEach(() => vi.restoreAllMocks());
afterAll(removeProjects);

const numbered = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

const code = (count: number) => `
import { RpcRegistry } from './registry.js';
import { events, websocket } from './app.js';
const rpc = new RpcRegistry();
${numbered(
  count,
  (i) => `
/** An item. */
interface Item${i} {
  /** Its name. */
  name: string;
  lines: readonly { text: string; note${i}?: string }[];
}
const options${i} = { description: 'x' };
/** Gets an item. */
async function get${i}(input: { id: string }): Promise<Item${i}> { return { name: input.id, lines: [] }; }
async function* watch${i}(input: { since: number }): AsyncGenerator<Item${i}> {}
rpc.query('get${i}', get${i}).subscription('watch${i}', watch${i});
rpc.mutation('save${i}', options${i}, (input: Item${i}) => input);
/** Gets an item. */
app.get('/items/${i}', () => get${i}({ id: '' }));
const group${i} = new App<'/group${i}'>();
/** Changes an item. */
group${i}.put('/items', Ctx, async (ctx) => ctx.json({ changed${i}: true }, 201));
/** Items. */
app.websocket('/live/${i}', websocket({ sends: events<{ item: Item${i} }>() }));
`,
)}`;

it('waits equally often for few and for many procedures, routes and sockets', async () => {
  const waits = vi.spyOn(SyncRpcChannel.prototype, 'requestSync');
  const sent = vi.spyOn(SyncRpcChannel.prototype, 'writeTuple');
  const inferred = async (count: number) => {
    waits.mockClear();
    sent.mockClear();
    const { procedures, routes, sockets } = await infer(routeProject(typescript, code(count)));
    expect(Object.keys(procedures)).toHaveLength(3 * count);
    expect(Object.keys(routes)).toHaveLength(2 * count);
    expect(Object.keys(sockets)).toHaveLength(count);
    return waits.mock.calls.map(([method]) => method).sort();
  };
  const few = await inferred(3);
  // It is read while this process goes on, and once.
  expect(few).not.toContain('updateSnapshot');
  expect(sent.mock.calls.filter(([, method]) => `${method}` === 'updateSnapshot')).toHaveLength(1);
  expect(few).toContain('getSourceFileNames');
  expect(await inferred(12)).toEqual(few);
});
