// Inference: the errors and warnings about the types of one procedure or route, without duplicates and limited in number.
import type { WireType } from '../../wire/wire-type.js';
import type { Finding, Place } from '../compiler/compiler.js';

/** The findings about all procedures and routes. */
export interface Findings {
  readonly errors: Finding[];
  readonly warnings: Finding[];
}

/** Called only for findings, because computing lines and columns takes time. */
export type At = () => Place;

/** The maximum number of errors per procedure, because one cause often has many symptoms. */
const MOST_ERRORS = 10;
/** Longer paths are cut. */
const LONGEST_PATH = 120;

export class WalkFindings {
  readonly #who: string;
  readonly #all: Findings;
  #errors = 0;

  /** @param who such as `query 'list'` */
  constructor(who: string, all: Findings) {
    this.#who = who;
    this.#all = all;
  }

  /** Whether the maximum number of errors is reached. */
  get isFull(): boolean {
    return this.#errors >= MOST_ERRORS;
  }

  /** @param fault the fault of the type at the path, such as `is a bigint; use a string` */
  refuse(place: At, path: string, fault: string): WireType {
    return this.refuseName(place, this.#message(path, fault));
  }

  refuseName(place: At, message: string): WireType {
    if (this.#add(this.#all.errors, place, message)) this.#errors += 1;
    return { kind: 'unknown' };
  }

  /** Refuses a type, and stops reporting faults of this procedure. */
  giveUp(place: At, path: string, fault: string): WireType {
    this.#errors = MOST_ERRORS;
    return this.refuse(place, path, fault);
  }

  warn(place: At, path: string, fault: string): void {
    this.#add(this.#all.warnings, place, this.#message(path, fault));
  }

  /** Adds a finding once, because each member of a union may have the same fault. */
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
