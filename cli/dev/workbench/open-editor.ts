// Opens a place of the source in the editor of the user.
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from './refusals.js';

/** Editors that need the terminal, which `fw dev` uses. */
const IN_TERMINAL = /^(?:vi|vim|nvim|emacs|nano|pico|micro|hx|helix|kak|joe|ed)$/i;
/** How long an editor that cannot be started takes to say so, in milliseconds. */
const START_TIME = 300;

/**
 * @param order as the page sent it
 * @throws Refusal for what is not a file of the project, and if no editor can be opened
 */
export async function openInEditor(order: unknown, root: string): Promise<void> {
  const { path, line, column } = checkedPlace(order, root);
  const [{ default: launch }, { default: guess }] = await Promise.all([
    import('launch-editor'),
    import('launch-editor/guess.js'),
  ]);
  const editor = guess()[0];
  if (typeof editor !== 'string') {
    throw new Refusal(
      409,
      'NoEditor',
      'no editor was found; set the variable EDITOR to code, or to the one you use, and start fw dev again',
    );
  }
  const program = programOf(editor);
  if (IN_TERMINAL.test(program)) {
    const why = `${program} needs the terminal that fw dev uses`;
    throw new Refusal(
      409,
      'NoEditor',
      `${why}; set LAUNCH_EDITOR to an editor with a window of its own, such as code`,
    );
  }
  const { LAUNCH_EDITOR, VISUAL, EDITOR } = process.env;
  // A variable may have arguments, a running editor is a path.
  const named = [LAUNCH_EDITOR, VISUAL, EDITOR].includes(editor) ? editor : undefined;
  const failed = new Promise<string>((settle) => {
    launch(`${path}:${line}:${column}`, named, (_, message) => settle(message ?? 'it could not be started'));
  });
  const problem = await Promise.race([failed, delay(START_TIME, undefined)]);
  if (problem === undefined) return;
  throw new Refusal(
    409,
    'NoEditor',
    `${editor} did not open: ${problem}; set EDITOR to the editor that you use`,
  );
}

/** The name of an editor without its path, its arguments, and the ending of programs on Windows. */
export function programOf(editor: string): string {
  // Paths on Windows have spaces, quoted or not.
  const [, quoted, windows] = /^(?:"([^"]*)"|(.*?\.(?:exe|cmd|bat))(?=\s|$))/i.exec(editor) ?? [];
  const path = quoted ?? windows ?? editor.split(' ')[0] ?? '';
  return path.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd|bat)$/i, '');
}

function checkedPlace(order: unknown, root: string): { path: string; line: number; column: number } {
  const { file, line = 1, column = 1 } = (order ?? {}) as Record<string, unknown>;
  if (typeof file !== 'string' || !isPosition(line) || !isPosition(column)) {
    throw new Refusal(400, 'BadRequest', 'give { file, line, column }');
  }
  const path = realPath(resolve(root, file));
  const inside = path === undefined ? '' : relative(realpathSync(root), path);
  const isOutside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (path === undefined || isOutside || !statSync(path).isFile()) {
    throw new Refusal(404, 'NotFound', `there is no file ${file.slice(0, 200)} in this project`);
  }
  return { path, line, column };
}

function isPosition(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) < 1e7;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
