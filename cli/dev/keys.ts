// Single keys on a terminal: r restart, o open, w workbench, c clear, q quit, h help.
import { emitKeypressEvents } from 'node:readline';

export interface KeyActions {
  restart(): void;
  open(): void;
  workbench(): void;
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
  '  c  clear the screen',
  '  q  quit (so does Ctrl+C)',
  '  h  this help',
  '',
];

/** Listens for keys; does nothing if standard input is not a terminal. Returns a function that restores it. */
export function listenForKeys(actions: KeyActions, input: NodeJS.ReadStream = process.stdin): () => void {
  if (!input.isTTY || typeof input.setRawMode !== 'function') return () => {};
  const byKey: Record<string, () => void> = {
    r: actions.restart,
    o: actions.open,
    w: actions.workbench,
    c: actions.clear,
    q: actions.quit,
    h: actions.help,
    '?': actions.help,
  };
  const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean; meta?: boolean }): void => {
    // In raw mode, Ctrl+C and Ctrl+Z send no signal; npm and the shell above need it too.
    if (key.ctrl && key.name === 'c') process.kill(0, 'SIGINT');
    else if (key.ctrl && key.name === 'z') suspend(input);
    else if (key.ctrl && key.name === 'd') actions.quit();
    else if (key.name === 'return') process.stdout.write('\n');
    else if (!key.ctrl && !key.meta) byKey[key.name ?? text ?? '']?.();
  };
  emitKeypressEvents(input);
  input.setRawMode(true);
  input.on('keypress', onKey);
  input.resume();
  return function restore() {
    input.off('keypress', onKey);
    input.setRawMode(false);
    input.pause();
  };
}

function suspend(input: NodeJS.ReadStream): void {
  if (process.platform === 'win32') return;
  input.setRawMode(false);
  process.once('SIGCONT', () => input.setRawMode(true));
  process.kill(0, 'SIGTSTP');
}
