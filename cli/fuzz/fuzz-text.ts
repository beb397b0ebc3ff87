// What `fw fuzz` prints for people. Names and messages come from documents and servers: they must not control the terminal.
import type { FuzzReport } from 'fw/testing';
import type { Colors } from '../terminal/color.js';
import { count } from '../terminal/output.js';
import { printable } from '../terminal/printable.js';

/** A line for each operation, and a warning about those that nothing was accepted by. */
export function operationsText({ operations }: Pick<FuzzReport, 'operations'>, colors: Colors): string {
  const names = operations.map(({ name }) => oneLine(name));
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = operations.map(({ requests, accepted }, index) => {
    const line = `${(names[index] ?? '').padEnd(width)}  ${count(requests, 'request')}, ${accepted} accepted`;
    return accepted === 0 ? colors.yellow(line) : line;
  });
  const refused = names.filter((_, index) => operations[index]?.accepted === 0);
  return [...lines, ...(refused.length === 0 ? [] : ['', warning(refused, colors)])].join('\n');
}

function warning(refused: readonly string[], colors: Colors): string {
  const which =
    refused.length === 1
      ? `${refused[0]} accepted none: what is behind its checks was not tried`
      : `${refused.length} operations accepted none: what is behind their checks was not tried`;
  return [
    `${colors.bold(colors.yellow('warning:'))} ${which}`,
    ...(refused.length === 1 ? [] : refused.map((name) => `  ${name}`)),
    `${colors.bold(colors.cyan('help:'))} sign in with --header 'Authorization: Bearer …', or give the schema an example`,
  ].join('\n');
}

/** When everything held. */
export function nothingFound({ requests, operations, seed, notes }: FuzzReport): string {
  const sent = `${count(requests, 'request')} to ${count(operations.length, 'operation')}`;
  return [`nothing found in ${sent}; seed: ${seed}`, ...notes.map((note) => `note: ${oneLine(note)}`)].join(
    '\n',
  );
}

/** @param found the message of the error that has the failures */
export function foundText(found: string, { seed }: FuzzReport, hasOptions: boolean, colors: Colors): string {
  const [head = '', ...rest] = printable(found).split('\n');
  const again = `npx fw fuzz --seed ${seed}${hasOptions ? ', with the same address and options' : ''}`;
  return `${[colors.red(colors.bold(head)), ...rest].join('\n')}\n\nto repeat it: ${again}`;
}

function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}
