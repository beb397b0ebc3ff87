// Types: what one run of a check keeps: where it is, how deep, and what it found wrong.
import type { CheckIssue } from './check.js';
import type { Scalar } from './wire-type.js';

export const INVALID: unique symbol = Symbol('invalid');

/** Gives a copy of what the type knows of the value, or `INVALID` after `fail`. */
export type Check = (value: unknown, walk: Failures) => unknown;

/** An answer must not grow with the request. */
const MOST_ISSUES = 20;
/** Recursive types follow the value as deep as its sender likes. */
const DEEPEST = 200;
const LONGEST_SHOWN = 40;

interface FoundIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

const none: readonly CheckIssue[] = [];

export class Failures {
  /** Made where something is wrong: nearly every run finds nothing. */
  #issues: FoundIssue[] | undefined = undefined;
  #depth = 0;
  #probes = 0;
  #tried: Map<Check, Map<unknown, unknown>> | undefined = undefined;

  get issues(): readonly CheckIssue[] {
    return this.#issues ?? none;
  }

  fail(message: string): typeof INVALID {
    if (this.isFull) return INVALID;
    this.#issues ??= [];
    this.#issues.push({ path: [], message });
    return INVALID;
  }

  /** Nothing more that is found would be told. */
  get isFull(): boolean {
    return this.#probes > 0 || this.issues.length >= MOST_ISSUES;
  }

  /** Checks what is at a key; where that fails, the key is put before the paths of what was found there. */
  at(key: string | number, value: unknown, check: Check): unknown {
    const before = this.#issues === undefined ? 0 : this.#issues.length;
    const checked = check(value, this);
    if (checked !== INVALID || this.#issues === undefined) return checked;
    for (let index = before; index < this.#issues.length; index++) this.#issues[index]?.path.unshift(key);
    return checked;
  }

  failAt(key: string | number, message: string): typeof INVALID {
    return this.at(key, undefined, () => this.fail(message)) as typeof INVALID;
  }

  /** Runs a check of what an object or an array holds. */
  inside<Value>(run: (value: Value, walk: Failures) => unknown, value: Value): unknown {
    if (this.#depth >= DEEPEST) return this.fail(`nested deeper than ${DEEPEST} levels`);
    this.#depth++;
    const checked = run(value, this);
    this.#depth--;
    return checked;
  }

  /**
   * Runs a check whose failure tells nothing yet. Each check sees each value once: nested unions would double
   * the work with every level otherwise.
   */
  probe(check: Check, value: unknown): unknown {
    this.#tried ??= new Map();
    const tried = this.#tried.get(check) ?? new Map<unknown, unknown>();
    this.#tried.set(check, tried);
    if (tried.has(value)) return tried.get(value);
    this.#probes++;
    const checked = check(value, this);
    this.#probes--;
    tried.set(value, checked);
    return checked;
  }
}

/**
 * The end of a message. A scalar itself is shown where its value is what was wrong, which it is of numbers that
 * JSON has not: `1e999` is Infinity.
 */
export function got(
  value: unknown,
  isShown: boolean = typeof value === 'number' && !Number.isFinite(value),
): string {
  if (value === undefined) return 'got nothing';
  if (value === null) return 'got null';
  if (Array.isArray(value)) return 'got array';
  if (isShown && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')) {
    return `got ${literalText(value)}`;
  }
  return `got ${typeof value}`;
}

export function literalText(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
}
