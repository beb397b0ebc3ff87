// Requests that were pinned, and calls that were saved: kept in a file of the project, so that they outlive `fw dev`.
// What the file has is masked as in the page.
import { existsSync, renameSync } from 'node:fs';
import { readKept, writeKept } from './kept-form.js';
import { privateFile, readPrivate, writePrivate } from './private-file.js';
import type { KeptList, PinnedRequest, PinnedSummary, RequestDetail, SavedCall } from './protocol.js';
import { Refusal } from './refusals.js';

const NAME = 'workbench.json';
/** In characters, of the whole file. */
const LONGEST = 32 * 1024 * 1024;
const MOST_PINS = 50;
const MOST_SAVED = 200;

/** What the file has. */
export interface Kept {
  readonly pins: readonly PinnedRequest[];
  readonly saved: readonly SavedCall[];
}

const nothing: Kept = { pins: [], saved: [] };

export class KeptRequests {
  readonly #root: string;
  readonly #note: (text: string) => void;

  /** @param note says something in the terminal */
  constructor(root: string, note: (text: string) => void) {
    this.#root = root;
    this.#note = note;
  }

  get list(): KeptList {
    const { pins, saved } = this.#read();
    return {
      pins: pins.map(pinnedSummary),
      saved,
    };
  }

  /** @throws Refusal if no pin has that number */
  pin(id: number): RequestDetail {
    const found = this.#read().pins.find((one) => one.id === id);
    if (found === undefined) throw new Refusal(404, 'NotFound', `pin ${id} does not exist any more`);
    return found.detail;
  }

  /** Returns the number of the pin. @throws Refusal if there are too many, or the file cannot be written */
  addPin(detail: RequestDetail): number {
    const { pins, saved } = this.#read();
    const same = pins.find((one) => one.detail.id === detail.id && one.detail.began === detail.began);
    const id = same?.id ?? nextId(pins);
    const others = pins.filter((one) => one !== same);
    if (others.length >= MOST_PINS)
      throw new Refusal(409, 'TooMany', `${MOST_PINS} requests are pinned; unpin one of them first`);
    this.#write({ pins: [...others, { id, detail }], saved });
    return id;
  }

  removePin(id: number): void {
    const { pins, saved } = this.#read();
    this.#write({ pins: pins.filter((one) => one.id !== id), saved });
  }

  /** One with the same name is replaced. @throws Refusal as `addPin` */
  save(call: Omit<SavedCall, 'id'>): number {
    const { pins, saved } = this.#read();
    const same = saved.find(({ name }) => name === call.name);
    const id = same?.id ?? nextId(saved);
    const others = saved.filter((one) => one !== same);
    if (others.length >= MOST_SAVED)
      throw new Refusal(409, 'TooMany', `${MOST_SAVED} calls are saved; remove one of them first`);
    this.#write({ pins, saved: [...others, { ...call, id }] });
    return id;
  }

  removeSaved(id: number): void {
    const { pins, saved } = this.#read();
    this.#write({ pins, saved: saved.filter((one) => one.id !== id) });
  }

  /** Read each time, because another `fw dev` of the project may have written it. */
  #read(): Kept {
    const file = privateFile(this.#root, NAME);
    const text = readPrivate(file, LONGEST);
    if (text === undefined && !existsSync(file)) return nothing;
    const kept = text === undefined ? undefined : readKept(text);
    if (kept !== undefined) return kept;
    // Nothing of it is lost: the next write makes another file.
    renameSync(file, `${file}.broken`);
    this.#note(
      `node_modules/.fw/${NAME} is not a list of pinned requests and saved calls that only you can read, and was renamed to ${NAME}.broken`,
    );
    return nothing;
  }

  #write(kept: Kept): void {
    try {
      writePrivate(this.#root, NAME, writeKept(kept));
    } catch (error) {
      throw new Refusal(
        500,
        'NotWritten',
        `node_modules/.fw/${NAME} cannot be written: ${(error as Error).message}`,
      );
    }
  }
}

function pinnedSummary({ id, detail }: PinnedRequest): PinnedSummary {
  const {
    method,
    target,
    began,
    status,
    label,
    calls,
    durationMs,
    aborted,
    isJob,
    hasFailed,
    hasCrashed,
    equalReads,
  } = detail;
  return {
    id,
    request: detail.id,
    method,
    target,
    began,
    ...(status !== undefined && { status }),
    ...(label !== undefined && { label }),
    ...(calls !== undefined && { calls }),
    ...(durationMs !== undefined && { durationMs }),
    ...(aborted && { aborted }),
    ...(isJob && { isJob }),
    ...(hasFailed && { hasFailed }),
    ...(hasCrashed && { hasCrashed }),
    ...(equalReads !== undefined && { equalReads }),
  };
}

function nextId(list: readonly { readonly id: number }[]): number {
  return list.reduce((most, { id }) => Math.max(most, id), 0) + 1;
}
