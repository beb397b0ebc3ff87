// Single keys on a terminal: r restart, o open, w workbench, m migrate, c clear, q quit, h help.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';

export interface KeyActions {
  restart(): void;
  open(): void;
  workbench(): void;
  migrate(): void;
  clear(): void;
  quit(): void;
  help(): void;
}

/** What `h` prints, by lines. */
export const keyHelp: readonly string[] = [
  '',
  '  r  restart with a fresh build',
  '  o  open the app in a browser',
  '  w  open the page about the app: requests, routes, errors',
  '  m  run the migrations that have not run',
  '  c  clear the screen',
  '  q  quit (so does Ctrl+C)',
  '  h  this help',
  '',
];

/** Between two looks whether a job in the background has come to the foreground, in milliseconds. */
const PAUSE = 1000;

type Key = { name?: string; ctrl?: boolean; meta?: boolean };

/** Whether keys can be typed: there is a terminal, and this is not a job in its background. */
export function hasKeys(): boolean {
  return isTerminal(process.stdin) && isInForeground();
}

function isTerminal(input: NodeJS.ReadStream): boolean {
  return input.isTTY === true && typeof input.setRawMode === 'function';
}

/**
 * Listens for keys; does nothing if standard input is not a terminal. A job in the background does not touch the
 * terminal, as the system would stop it, and has keys when it comes to the foreground. Returns a function that
 * restores the terminal.
 * @param isOurs whether this process may use the terminal now
 */
export function listenForKeys(
  actions: KeyActions,
  input: NodeJS.ReadStream = process.stdin,
  isOurs: () => boolean = isInForeground,
  platform: NodeJS.Platform = process.platform,
): () => void {
  if (!isTerminal(input)) return () => {};
  const keys = new Keys(actions, input, isOurs, platform);
  keys.look();
  return () => keys.restore();
}

class Keys {
  readonly #byKey: Record<string, () => void>;
  readonly #quit: () => void;
  readonly #input: NodeJS.ReadStream;
  readonly #isOurs: () => boolean;
  readonly #isWindows: boolean;
  readonly #onKey = (text: string | undefined, key: Key): void => this.#pressed(text, key);
  /** A shell has continued this process, in the foreground or in the background. */
  readonly #onContinue = (): void => {
    this.#leave(false);
    this.look();
  };
  #timer: NodeJS.Timeout | undefined;
  #isListening = false;
  #hasBeenRaw = false;
  /** There was a time in the background. */
  #isLate = false;

  constructor(
    actions: KeyActions,
    input: NodeJS.ReadStream,
    isOurs: () => boolean,
    platform: NodeJS.Platform,
  ) {
    this.#byKey = {
      r: actions.restart,
      o: actions.open,
      w: actions.workbench,
      m: actions.migrate,
      c: actions.clear,
      q: actions.quit,
      h: actions.help,
      '?': actions.help,
    };
    this.#quit = actions.quit;
    this.#input = input;
    this.#isOurs = isOurs;
    this.#isWindows = platform === 'win32';
    if (!this.#isWindows) process.on('SIGCONT', this.#onContinue);
  }

  /**
   * Listens if this process may. One that began in the background looks again and again: nothing tells it that it has
   * come to the foreground, and processes that it started before give the terminal its old mode when they exit.
   */
  look(): void {
    clearTimeout(this.#timer);
    const isOurs = this.#isOurs();
    if (!isOurs) this.#leave(false);
    this.#isLate ||= !isOurs;
    if (isOurs) this.#enter();
    if (this.#isLate) this.#timer = setTimeout(() => this.look(), PAUSE).unref();
  }

  restore(): void {
    clearTimeout(this.#timer);
    process.off('SIGCONT', this.#onContinue);
    this.#leave(this.#isOurs());
    // Node sets the mode of the terminal back when it exits, for which the system would stop a job in the background.
    if (this.#hasBeenRaw) process.once('exit', () => !this.#isOurs() && endAtOnce());
  }

  #enter(): void {
    // Node sets no mode that it has set before, though others may have set another one since.
    if (this.#input.isRaw) this.#input.setRawMode(false);
    this.#input.setRawMode(true);
    this.#hasBeenRaw = true;
    if (this.#isListening) return;
    this.#isListening = true;
    emitKeypressEvents(this.#input);
    this.#input.on('keypress', this.#onKey);
    this.#input.resume();
  }

  /** @param isOurs whether the mode of the terminal can be set back */
  #leave(isOurs: boolean): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#input.off('keypress', this.#onKey);
    if (isOurs) this.#input.setRawMode(false);
    this.#input.pause();
  }

  #pressed(text: string | undefined, key: Key): void {
    // In raw mode, Ctrl+C and Ctrl+Z send no signal.
    if (key.ctrl && key.name === 'c') this.#interrupt();
    else if (key.ctrl && key.name === 'z') this.#suspend();
    else if (key.ctrl && key.name === 'd') this.#quit();
    else if (key.name === 'return') process.stdout.write('\n');
    else if (!key.ctrl && !key.meta) this.#byKey[key.name ?? text ?? '']?.();
  }

  /**
   * npm and the shell above need the signal too. Windows has none: `kill` would end this process at once, and the others
   * wait for it.
   */
  #interrupt(): void {
    if (this.#isWindows) process.emit('SIGINT', 'SIGINT');
    else process.kill(0, 'SIGINT');
  }

  #suspend(): void {
    if (this.#isWindows) return;
    this.#leave(true);
    process.kill(0, 'SIGTSTP');
  }
}

/** Without the exit of Node, which no other signal avoids that a program may leave unhandled. */
function endAtOnce(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/**
 * True if the process group of this process is in the foreground of its terminal: a background job that reads from it,
 * or sets its mode, is stopped.
 */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true;
  const [group, foreground] = process.platform === 'linux' ? linuxGroups() : otherGroups();
  return group === foreground;
}

function linuxGroups(): string[] {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name of the program, which may have blanks and parentheses: state, parent, group, session, terminal, …
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[2] ?? '', fields[5] ?? ''];
}

function otherGroups(): string[] {
  const found = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
  return found.trim().split(/\s+/);
}
