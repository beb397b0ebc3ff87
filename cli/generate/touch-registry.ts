// Has a process that waits for the app's program run through what the program will need, so that the run need not
// compile it: a registry with procedures of each style, and its client.

/** The part of `fw/rpc` that is touched: the app may have another version of it than this one. */
interface Rpc {
  readonly RpcRegistry: new () => {
    query(name: string, schemas: object, handler: () => unknown): unknown;
    queryWithTypes(name: string, handler: () => unknown, input: string, output: string): unknown;
    generateClient(): string;
  };
}

interface Zod {
  readonly z: {
    object(fields: object): object;
    string(): { min(length: number): object };
    number(): { optional(): object };
    enum(values: readonly string[]): { default(value: string): object };
  };
}

/** @param loaded packages that this process has, resolved as the app would. */
export async function touchRegistry(
  load: (specifier: string) => Promise<unknown>,
  loaded: readonly string[],
): Promise<void> {
  if (!loaded.includes('fw/rpc')) return;
  const { RpcRegistry } = (await load('fw/rpc')) as Rpc;
  const registry = new RpcRegistry();
  registry.queryWithTypes('typed', () => ({ a: 1 }), '{ a: string; b?: number[] }', "{ a: number } | 'x'");
  if (loaded.includes('zod')) {
    const { z } = (await load('zod')) as Zod;
    const input = z.object({
      a: z.string().min(1),
      b: z.number().optional(),
      c: z.enum(['x', 'y']).default('x'),
    });
    registry.query('checked', { input, output: z.object({ a: z.string() }) }, () => ({ a: '' }));
  }
  registry.generateClient();
}
