// Inference: what is wrong with the types of one procedure, each fault once and not without end.
import type { WireType } from '../rpc/types/wire-type.js';
import type { Finding, Place, Registration } from './compiler.js';

/** Of all procedures. */
export interface Findings {
  readonly errors: Finding[];
  readonly warnings: Finding[];
}

/** Lines and columns cost time, and only findings need them. */
export type At = () => Place;

/** One cause often has many faces. */
const MOST_ERRORS = 10;
/** Longer paths say nothing more. */
const LONGEST_PATH = 120;

export class WalkFindings {
  readonly #who: string;
  readonly #all: Findings;
  #errors = 0;

  constructor({ kind, name }: Registration<unknown>, all: Findings) {
    this.#who = `${kind} '${name}'`;
    this.#all = all;
  }

  /** More would only repeat what was said. */
  get isFull(): boolean {
    return this.#errors >= MOST_ERRORS;
  }

  /** @param fault of what is at the path, such as `is a bigint; take a string`. */
  refuse(place: At, path: string, fault: string): WireType {
    return this.refuseName(place, this.#message(path, fault));
  }

  refuseName(place: At, message: string): WireType {
    if (this.#add(this.#all.errors, place, message)) this.#errors += 1;
    return { kind: 'unknown' };
  }

  /** Nothing can be said behind this. */
  giveUp(place: At, path: string, fault: string): WireType {
    this.#errors = MOST_ERRORS;
    return this.refuse(place, path, fault);
  }

  warn(place: At, path: string, fault: string): void {
    this.#add(this.#all.warnings, place, this.#message(path, fault));
  }

  /** A union shows the same fault in each of its members. */
  #add(list: Finding[], place: At, message: string): boolean {
    if (list.some((one) => one.message === message)) return false;
    list.push({ place: place(), message });
    return true;
  }

  #message(path: string, fault: string): string {
    const shown = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
    return `${this.#who}: ${shown} ${fault}`;
  }
}
