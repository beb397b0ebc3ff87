// What an app does in the world while it is only looked at, before it listens: `fw doctor` names it, because commands that
// only look should change nothing. What belongs to the start of the app goes into `app.onStart`.
import { createHook } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import type { StartEffect } from '../../process/messages.js';
import { appPlaceIn } from './recording/steps.js';

/** More are not noted. */
const MOST = 20;
const STACK_LIMIT = 40;

type Kind = StartEffect['kind'];

/** Types of resources of Node.js (`async_hooks`). */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['PROCESSWRAP', 'process'],
  ['Timeout', 'timer'],
]);

const WRITING = ['writeFile', 'appendFile', 'mkdir', 'rm', 'unlink', 'rename', 'createWriteStream'] as const;
const OPENING = ['open', 'openSync'] as const;

/** A timer of Node.js. */
interface Timer {
  hasRef?(): boolean;
  _destroyed?: boolean;
}

interface Noted extends StartEffect {
  /** Counts only if it still runs when the app listens. */
  readonly timer?: Timer;
}

export class StartEffects {
  readonly #noted: Noted[] = [];
  readonly #hook = createHook({
    init: (_id, type, _trigger, resource) => {
      const kind = KINDS.get(type);
      if (kind !== undefined) this.#note(kind, { ...(kind === 'timer' && { timer: resource as Timer }) });
    },
  });
  readonly #restore: (() => void)[] = [];

  readonly #placeIn: (stack: string | undefined) => string | undefined;

  private constructor(placeIn: (stack: string | undefined) => string | undefined) {
    this.#placeIn = placeIn;
  }

  /** Watches until `end`. @param placeIn finds the place in the app in a stack */
  static watch(placeIn: (stack: string | undefined) => string | undefined = appPlaceIn): StartEffects {
    const effects = new StartEffects(placeIn);
    effects.#begin();
    return effects;
  }

  #begin(): void {
    this.#hook.enable();
    const onQuery = (): void => this.#note('query');
    diagnostics.subscribe('tracing:fw:query:start', onQuery);
    this.#restore.push(() => diagnostics.unsubscribe('tracing:fw:query:start', onQuery));
    // Where the app called it: the resources of Node.js come later, behind the lookup of a name.
    this.#wrap(Socket.prototype as unknown as Record<string, unknown>, 'connect', () => true, 'connection');
    for (const from of [fs, fs.promises] as unknown as Record<string, unknown>[]) {
      for (const name of WRITING) {
        for (const one of [name, `${name}Sync`]) this.#wrap(from, one, () => true);
      }
      for (const name of OPENING) this.#wrap(from, name, (args) => isWriting(args[1]));
    }
    syncBuiltinESMExports();
  }

  #wrap(
    from: Record<string, unknown>,
    name: string,
    isEffect: (args: unknown[]) => boolean,
    kind: Kind = 'file',
  ): void {
    const real = from[name];
    if (typeof real !== 'function') return;
    const note = (args: unknown[]): void => {
      if (isEffect(args)) this.#note(kind, kind === 'file' ? { path: String(args[0]) } : {});
    };
    from[name] = Object.assign(function watched(this: unknown, ...args: unknown[]): unknown {
      note(args);
      return Reflect.apply(real, this, args);
    }, real);
    this.#restore.push(() => {
      from[name] = real;
    });
  }

  #note(kind: Kind, more: { readonly path?: string; readonly timer?: Timer } = {}): void {
    if (this.#noted.length >= MOST) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = STACK_LIMIT;
    const place = this.#placeIn(new Error('here').stack);
    Error.stackTraceLimit = limit;
    // What packages and Node.js do by themselves is not the app's to move.
    if (place === undefined && kind !== 'query' && kind !== 'connection') return;
    this.#noted.push({ kind, ...more, ...(place !== undefined && { place }) });
  }

  /** What has happened, each kind at each place once. */
  end(): StartEffect[] {
    this.#hook.disable();
    for (const restore of this.#restore.splice(0)) restore();
    syncBuiltinESMExports();
    const seen = new Set<string>();
    return this.#noted
      .filter(({ timer }) => timer === undefined || (timer._destroyed !== true && timer.hasRef?.() !== false))
      .map(({ kind, path, place }) => ({
        kind,
        ...(path !== undefined && { path }),
        ...(place !== undefined && { place }),
      }))
      .filter((one) => {
        const key = `${one.kind} ${one.place}`;
        return !seen.has(key) && seen.add(key);
      });
  }
}

/** The flags of `fs.open`, which reads by default. */
function isWriting(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
  return typeof flags === 'string' && flags !== 'r' && flags !== 'rs' && flags !== 'sr';
}
