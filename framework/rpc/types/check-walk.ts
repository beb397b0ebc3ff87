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

export class Failures {
  readonly issues: CheckIssue[] = [];
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #probes = 0;
  #tried: Map<Check, Map<unknown, unknown>> | undefined;

  fail(message: string): typeof INVALID {
    if (this.#probes === 0 && this.issues.length < MOST_ISSUES) {
      this.issues.push({ path: [...this.#path], message });
    }
    return INVALID;
  }

  /** Nothing more that is found would be told. */
  get isFull(): boolean {
    return this.#probes > 0 || this.issues.length >= MOST_ISSUES;
  }

  at(key: string | number, value: unknown, check: Check): unknown {
    this.#path.push(key);
    const checked = check(value, this);
    this.#path.pop();
    return checked;
  }

  failAt(key: string | number, message: string): typeof INVALID {
    return this.at(key, undefined, () => this.fail(message)) as typeof INVALID;
  }

  inside(run: () => unknown): unknown {
    if (this.#depth >= DEEPEST) return this.fail(`nested deeper than ${DEEPEST} levels`);
    this.#depth++;
    const checked = run();
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

/** The end of a message. A scalar itself is shown where its value is what was wrong. */
export function got(value: unknown, isShown = false): string {
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
