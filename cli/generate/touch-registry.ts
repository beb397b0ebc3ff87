// Makes a waiting process generate the client of a registry with one procedure, so that V8 has compiled that code
// before the app's program runs.

/** The part of `fw/rpc` that is used: the app may have another version of it. */
interface Rpc {
  readonly RpcRegistry: new () => {
    queryWithTypes(name: string, handler: () => unknown, input: string, output: string): unknown;
    generateClient(): string;
  };
}

/** @param loaded packages that this process has loaded, resolved from the app */
export async function touchRegistry(
  load: (specifier: string) => Promise<unknown>,
  loaded: readonly string[],
): Promise<void> {
  if (!loaded.includes('fw/rpc')) return;
  const { RpcRegistry } = (await load('fw/rpc')) as Rpc;
  const registry = new RpcRegistry();
  registry.queryWithTypes('typed', () => ({ a: 1 }), '{ a: string; b?: number[] }', "{ a: number } | 'x'");
  registry.generateClient();
}
