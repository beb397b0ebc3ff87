// Which environment variables the app reads, and where, while it runs under `fw dev`. The variables themselves stay in
// the object of Node.js, which Node, child processes and threads use; the app sees it through a proxy.
import diagnostics from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import type { SecretPlace } from '../../../framework/tracing/secrets.js';
import type { EnvRead } from '../../process/messages.js';
import { appPlaceIn } from './recording/steps.js';

/** More names are not noted. */
const MOST_NAMES = 500;
/** A variable that is read at each request costs no more than a look into a map after so many reads. */
const MOST_STACKS = 8;
const STACK_LIMIT = 40;

/** A name of a variable that is not set. Others, such as `then` and `toJSON`, are asked for by Node.js. */
const USUAL_NAME = /^[A-Z][A-Z0-9_]{0,200}$/;

/** Whether the first frame, which has read the variable, is code of Node.js. */
function isOfNode(stack: string): boolean {
  return /^[^\n]*\n +at (?:[^\n]* \()?node:/.test(stack);
}

type Trap = (real: NodeJS.ProcessEnv, name: string | symbol) => unknown;

type Stack = { readonly stack?: string };

export class EnvReads {
  readonly #stacks = new Map<string, Stack[]>();
  readonly #real: NodeJS.ProcessEnv;
  /** What the app has marked by `env()`. */
  readonly #secrets = new Set<string>();
  /** Names of an enumeration that goes on: copies of all variables say nothing about what the app needs. */
  #listed: Set<string> | undefined;

  private constructor(real: NodeJS.ProcessEnv) {
    this.#real = real;
  }

  /** Watches `process.env` from now on. */
  static watch(): EnvReads {
    const reads = new EnvReads(process.env);
    diagnostics.subscribe('fw:secret', (message) => {
      const place = message as SecretPlace;
      if (place.in === 'variable') reads.#secrets.add(place.name);
    });
    process.env = reads.#proxy();
    // For `import { env } from 'node:process'`.
    syncBuiltinESMExports();
    return reads;
  }

  /**
   * The names that the app or a package has read, in the order of their first reads, with the place in the app that read
   * them. What Node.js itself reads is not among them, such as NODE_V8_COVERAGE when the app starts a process.
   */
  get all(): EnvRead[] {
    const read = [...this.#stacks].flatMap(([name, all]): EnvRead[] => {
      const stacks = all.map(({ stack = '' }) => stack).filter((stack) => !isOfNode(stack));
      if (stacks.length === 0) return [];
      const place = stacks.map(appPlaceIn).find((one) => one !== undefined);
      const isSecret = this.#secrets.has(name);
      return [{ name, ...(place !== undefined && { place }), ...(isSecret && { isSecret }) }];
    });
    const unread = [...this.#secrets].filter((name) => !read.some((one) => one.name === name));
    return [...read, ...unread.map((name) => ({ name, isSecret: true as const }))];
  }

  #proxy(): NodeJS.ProcessEnv {
    const get = (real: NodeJS.ProcessEnv, name: string | symbol): unknown => {
      if (typeof name === 'string') this.#read(name, get);
      return Reflect.get(real, name);
    };
    const has = (real: NodeJS.ProcessEnv, name: string | symbol): boolean => {
      if (typeof name === 'string') this.#read(name, has);
      return Reflect.has(real, name);
    };
    return new Proxy(this.#real, {
      get,
      has,
      // With the proxy as the receiver, the value would be defined, which Node.js allows for fewer values.
      set: (real, name, value) => Reflect.set(real, name, value),
      ownKeys: (real) => {
        const names = Reflect.ownKeys(real);
        if (this.#listed === undefined) queueMicrotask(() => this.#enumerated());
        this.#listed = new Set(names as string[]);
        return names;
      },
    });
  }

  #enumerated(): void {
    this.#listed = undefined;
  }

  /** @param trap what Node.js has called for it */
  #read(name: string, trap: Trap): void {
    if (this.#listed?.delete(name)) return;
    const known = this.#stacks.get(name);
    if (known !== undefined && known.length >= MOST_STACKS) return;
    if (known === undefined && (this.#stacks.size === MOST_NAMES || !this.#isVariable(name))) return;
    const holder: Stack = {};
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = STACK_LIMIT;
    // The text of it is made when it is read, which most never are.
    Error.captureStackTrace(holder, trap);
    Error.stackTraceLimit = limit;
    if (known === undefined) this.#stacks.set(name, [holder]);
    else known.push(holder);
  }

  #isVariable(name: string): boolean {
    return USUAL_NAME.test(name) || Object.hasOwn(this.#real, name);
  }
}
