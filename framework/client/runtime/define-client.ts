// The client: its class, made of tables of what it calls.

/** One client, as what it calls sees it. */
export interface FwRpcConnection<Options, Client = unknown> {
  readonly client: Client;
  readonly baseUrl: string;
  readonly options: Options;
  /** Of JSON-RPC. */
  nextId: number;
  /** Of JSON-RPC: the calls that wait for the end of the tick. */
  readonly waiting: unknown[];
}

/** How a method is called that has a line in a table. */
export interface FwRpcEntry {
  /** False if it takes no input, and the options of a call are the first argument. */
  readonly hasInput?: false;
  /** Whether the dots in its name do not stand between groups. */
  readonly isWhole?: true;
}

/** What a caller gets of a method that has an input. */
export type FwRpcArguments<CallOptions> = readonly [input?: unknown, options?: CallOptions];

/** Makes the calls of a table. */
export type FwRpcCaller<Entry, Args extends readonly unknown[], Options, Client = unknown> = (
  connection: FwRpcConnection<Options, Client>,
  named: readonly [name: string, entry: Entry],
  ...args: Args
) => unknown;

/** A table by the whole names of methods, such as `users.get`, and what makes its calls. */
export type FwRpcMethods<Options, Client = unknown> = readonly [
  table: Readonly<Record<string, object>>,
  call: FwRpcCaller<never, never, Options, Client>,
];

export type FwRpcClientClass<Client, Options> = new (baseUrl?: string, options?: Options) => Client;

/** @param defaultUrl used if the constructor is given none */
export function defineClient<Client extends object, Options extends object>(
  defaultUrl: string,
  methods: readonly FwRpcMethods<Options, Client>[],
): FwRpcClientClass<Client, Options> {
  function FwRpcClient(this: Client, baseUrl = defaultUrl, options = {} as Options): void {
    const connection = { client: this, baseUrl, options, nextId: 1, waiting: [] };
    const own = new.target.prototype as object;
    for (const [table, call] of methods) {
      for (const named of Object.entries(table)) {
        const [name] = named;
        const { hasInput, isWhole }: FwRpcEntry = named[1];
        const path = isWhole ? [name] : name.split('.');
        const last = path.pop() ?? '';
        let at = this as Record<string, unknown>;
        for (const group of path) {
          // Every object inherits members, by whose names groups may be called.
          if (!Object.hasOwn(at, group)) at[group] = {};
          at = at[group] as Record<string, unknown>;
        }
        // A method of a class that extends this one comes first.
        if (at === this && Object.hasOwn(own, last)) continue;
        at[last] = (...args: unknown[]) => {
          if (hasInput === false) args.unshift(undefined);
          return call(connection, named as never, ...(args as never));
        };
      }
    }
  }
  return FwRpcClient as unknown as FwRpcClientClass<Client, Options>;
}
