// Types: the state of one run of a check: its depth and the issues found.

import type { Scalar } from '../wire-type.js';
import type { CheckIssue } from './check-closures.js';

export const INVALID: unique symbol = Symbol('invalid');

/** Returns a copy of the parts of the value that the type knows, or `INVALID` after `fail`. */
export type Check = (value: unknown, walk: Failures) => unknown;

/** The maximum number of issues, so that the response does not grow with the request. */
const MOST_ISSUES = 20;
/** The maximum depth: recursive types recurse as deep as the value, which the client controls. */
const DEEPEST = 200;
const LONGEST_SHOWN = 40;

interface FoundIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

const none: readonly CheckIssue[] = [];

export class Failures {
  /** Created at the first issue, because nearly all runs find none. */
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

  /** Whether the maximum number of issues is reached. */
  get isFull(): boolean {
    return this.#probes > 0 || this.issues.length >= MOST_ISSUES;
  }

  /** Checks the value at a key; if that fails, prepends the key to the paths of the issues found there. */
  at(key: string | number, value: unknown, check: Check): unknown {
    const before = this.#issues === undefined ? 0 : this.#issues.length;
    const checked = check(value, this);
    if (checked === INVALID) for (const { path } of (this.#issues ?? []).slice(before)) path.unshift(key);
    return checked;
  }

  failAt(key: string | number, message: string): typeof INVALID {
    return this.at(key, undefined, () => this.fail(message)) as typeof INVALID;
  }

  /** Runs a check of the contents of an object or an array. */
  inside<Value>(run: (value: Value, walk: Failures) => unknown, value: Value): unknown {
    if (this.#depth >= DEEPEST) return this.fail(`nested deeper than ${DEEPEST} levels`);
    this.#depth++;
    const checked = run(value, this);
    this.#depth--;
    return checked;
  }

  /**
   * Runs a check whose failure is not an issue yet. Each check runs once per value, because otherwise nested unions
   * would double the work with every level.
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
 * The end of a message. A scalar is shown if its value is wrong, also for numbers that JSON does not have: `1e999` is
 * Infinity.
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
