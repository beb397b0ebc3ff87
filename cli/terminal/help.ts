// The text of `fw --help`, made from the command table without loading the commands.
import { colorsFor } from './color.js';

export function overview(commands: ReadonlyArray<{ name: string; summary: string }>): string {
  const color = colorsFor(process.stdout);
  const row = (name: string, text: string): string => `  ${color.cyan(name.padEnd(16))}${text}`;
  return `${[
    `${color.bold('fw')}, the web framework's command-line tool: fw <command> [options]`,
    '',
    color.bold('Commands:'),
    ...commands.map(({ name, summary }) => row(name, summary)),
    '',
    color.bold('Options:'),
    row('-h, --help', 'Show this help; after a command, the help of that command'),
    row('-v, --version', 'Show the version'),
    '',
    `${color.bold('Examples:')} fw new my-app; then, in its directory: fw dev`,
  ].join('\n')}\n`;
}
