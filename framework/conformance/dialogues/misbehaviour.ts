// Hostile dialogues: what callbacks of an application may do wrong, and the switch that makes one of them do it.

/** What a callback does instead of its work. It gets that work, which some do all the same. */
type Way = (usual: () => unknown) => unknown;

const later = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const waiting: (() => void)[] = [];
/** Ends only when nothing misbehaves any more. */
const never = (): Promise<unknown> => new Promise((resolve) => void waiting.push(() => resolve(undefined)));
const thrower = (thrown: () => unknown): Way => {
  return () => {
    throw thrown();
  };
};
const refuse = (): never => {
  throw new TypeError('hands off');
};

/** Every use of it throws. */
function untouchable(): object {
  const traps = Reflect.ownKeys(Reflect).filter((name) => typeof name === 'string');
  return new Proxy({}, Object.fromEntries(traps.map((name) => [name, refuse])));
}

/** The same, but a promise may resolve to it. */
function hardlyTouchable(): object {
  return new Proxy(
    {},
    { getPrototypeOf: refuse, ownKeys: refuse, has: refuse, getOwnPropertyDescriptor: refuse },
  );
}

/** An Error of which every member that somebody may read throws. */
function guardedError(): Error {
  const error = new Error('guarded');
  for (const name of ['message', 'stack', 'name', 'cause', 'status', 'headers', 'code', 'then']) {
    Object.defineProperty(error, name, { get: refuse });
  }
  return error;
}

const thenable = (run: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => unknown) => ({
  // biome-ignore lint/suspicious/noThenProperty: that is the case
  then: run,
});

const WAYS: Readonly<Record<string, Way>> = {
  throws: thrower(() => new Error('thrown')),
  'throws undefined': thrower(() => undefined),
  'throws a frozen object': thrower(() => Object.freeze({ message: 'frozen', status: 200 })),
  'throws a Proxy': thrower(untouchable),
  'throws an error with getters that throw': thrower(guardedError),
  'throws a symbol': thrower(() => Symbol('thrown')),
  rejects: () => Promise.reject(new Error('rejected')),
  'rejects with undefined': () => Promise.reject(undefined),
  'rejects with a Proxy': () => Promise.reject(untouchable()),
  'rejects with an error with getters that throw': () => Promise.reject(guardedError()),
  'rejects later': () =>
    later().then(() => {
      throw new Error('rejected later');
    }),
  'rejects when the client may have left': () =>
    new Promise((_, reject) => void setTimeout(reject, 20, new Error('rejected after a while'))),
  'never ends': never,
  'is a thenable that throws': () => thenable(() => refuse()),
  'is a thenable that rejects': () => thenable((_, reject) => reject(new Error('rejected'))),
  'is a thenable that answers twice': () =>
    thenable((resolve, reject) => {
      resolve(undefined);
      reject(new Error('rejected'));
      refuse();
    }),
  'returns an object whose then throws': () => Object.defineProperty({}, 'then', { get: refuse }),
  'resolves to an object whose then throws': () =>
    later().then(() => Object.defineProperty({}, 'then', { get: refuse })),
  'returns a Proxy': untouchable,
  'resolves to a list with a Proxy': () => later().then(() => [untouchable()]),
  'resolves to a Proxy': () => later().then(hardlyTouchable),
  'returns a symbol': () => Symbol('returned'),
  'returns null': () => null,
  'does its work, then throws': (usual) => {
    const done = usual();
    if (done instanceof Promise) done.catch(() => {});
    throw new Error('thrown afterwards');
  },
};

/** For middleware, whose work is to call `next`. */
const NEXT_WAYS: Readonly<Record<string, Way>> = {
  'calls next twice': (next) => {
    next();
    return next();
  },
  'calls next without waiting, and throws': (next) => {
    next();
    throw new Error('thrown beside next');
  },
  'calls next without waiting, and rejects later': (next) => {
    next();
    return later().then(refuse);
  },
  'calls next without waiting, and never ends': (next) => {
    next();
    return never();
  },
};

const ALL = { ...WAYS, ...NEXT_WAYS };

/** The ways of a callback by its name. */
export function waysOf(point: string): string[] {
  return Object.keys(point.includes('middleware') ? ALL : WAYS);
}

/** The callback that misbehaves now, and how. */
export interface Misbehaviour {
  readonly point: string;
  readonly way: string;
}

let current: Misbehaviour | undefined;
const counts: Record<string, number> = {};

/** Says which callback misbehaves from now on; undefined for none, which ends those that never end. */
export function misbehave(misbehaviour: Misbehaviour | undefined): void {
  current = misbehaviour;
  if (misbehaviour === undefined) for (const end of waiting.splice(0)) end();
}

/** How often each callback has run. */
export function runs(): Readonly<Record<string, number>> {
  return counts;
}

/** The work of a callback, or what it does instead while it is the one that misbehaves. */
export function at<Result>(point: string, usual: () => Result): Result {
  counts[point] = (counts[point] ?? 0) + 1;
  if (current?.point !== point) return usual();
  return ALL[current.way]?.(usual) as Result;
}
