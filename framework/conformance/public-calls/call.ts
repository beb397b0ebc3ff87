// Calls of public functions with one argument that TypeScript would refuse.

export type Wrong =
  | 'undefined'
  | 'null'
  | 'text'
  | 'number'
  | 'object'
  | 'misspelt'
  | 'list'
  | 'function'
  | 'symbol'
  | 'map';

/** What is given in the place of an argument. */
export const wrong: Readonly<Record<Wrong, unknown>> = {
  undefined: undefined,
  null: null,
  text: ' \u0000',
  number: -1.5,
  object: {},
  misspelt: { misspelt: 1 },
  list: [null],
  function: () => {},
  symbol: Symbol('wrong'),
  map: new Map(),
};

/** A call with one argument, which TypeScript would refuse, and what may stand there. */
export type Call = readonly [name: string, call: (value: never) => unknown, fine?: readonly Wrong[]];

/** Of options that may be left out. */
export const OPTIONAL: readonly Wrong[] = ['undefined', 'object'];
