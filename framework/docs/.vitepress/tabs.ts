// Makes tabs of plain Markdown, for the site alone: commands of npm get those of the other package managers, and blocks
// that stand one after another under the names of alternatives become the tabs of one.
import npmToYarn from 'npm-to-yarn';

/** Its types are those of CommonJS, and its module is not. */
const convert = npmToYarn as unknown as typeof npmToYarn.default;

const FENCE = /^```(?:sh|bash)\n((?:(?!```).*\n)+)```$/gm;
const COMMAND = /^(npm (?:install|i|run|test|start)(?: (?!-g\b|--global\b).*)?|npx fw .*)$/;
const managers = ['pnpm', 'yarn', 'bun'] as const;
type Manager = (typeof managers)[number];

/** What may stand in a paragraph of its own before a block, with a colon, to be the name of its tab. */
const alternatives: readonly (readonly string[])[] = [
  ['zod', 'valibot', 'arktype'],
  ['npm', 'pnpm', 'yarn', 'bun'],
  ['Kysely', 'Drizzle'],
  ['Linux', 'macOS', 'Windows'],
  ['Node.js', 'Bun', 'Deno', 'Workers', 'Lambda'],
];

export function withTabs(text: string): string {
  return withManagers(withAlternatives(text));
}

function withManagers(text: string): string {
  return text.replace(FENCE, (block, commands: string) => {
    const lines = commands.trimEnd().split('\n').map(splitComment);
    if (!lines.every(({ command }) => command === '' || COMMAND.test(command))) return block;
    if (!lines.some(({ command }) => command !== '')) return block;
    return codeGroup([
      ['npm', `\`\`\`sh\n${commands}\`\`\``],
      ...managers.map((manager) => [manager, `\`\`\`sh\n${linesFor(manager, lines)}\n\`\`\``] as const),
    ]);
  });
}

interface Line {
  readonly command: string;
  readonly comment: string;
}

function splitComment(line: string): Line {
  const at = line.search(/(?:^|\s+)# /);
  return at === -1
    ? { command: line.trim(), comment: '' }
    : { command: line.slice(0, at).trim(), comment: line.slice(at).trim() };
}

/** With the comments below each other, as in the source. */
function linesFor(manager: Manager, lines: readonly Line[]): string {
  const converted = lines.map(({ command, comment }) => ({ command: commandFor(manager, command), comment }));
  const width = Math.max(...converted.map(({ command, comment }) => (comment ? command.length : 0)));
  return converted
    .map(({ command, comment }) =>
      command && comment ? `${command.padEnd(width)} ${comment}` : command + comment,
    )
    .join('\n');
}

function commandFor(manager: Manager, command: string): string {
  const [, ofFw] = /^npx fw (.*)$/.exec(command) ?? [];
  // It is installed in the app, so that nothing is to be downloaded.
  if (ofFw !== undefined) return `${{ pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }[manager]} fw ${ofFw}`;
  return command === '' ? '' : convert(command, manager);
}

/** Blocks that follow each other, each below its name: `zod:`. */
const RUN = /(?:^[\w.]+:\n\n```.*\n(?:(?!```).*\n)+```(?:\n+|$))+/gm;
const LABELLED = /^([\w.]+):\n\n(```[\s\S]*?^```)$/gm;

function withAlternatives(text: string): string {
  return text.replace(RUN, (run) => {
    const tabs = [...run.matchAll(LABELLED)].map(([, label = '', fence = '']) => [label, fence] as const);
    const areTabs = tabs.length > 1 && areAlternatives(tabs.map(([label]) => label));
    return areTabs ? `${codeGroup(tabs)}\n\n` : run;
  });
}

function areAlternatives(labels: readonly string[]): boolean {
  return alternatives.some((names) => labels.every((label) => names.includes(label)));
}

function codeGroup(tabs: readonly (readonly [name: string, fence: string])[]): string {
  const blocks = tabs.map(([name, fence]) => fence.replace(/^(```\w*)[^\n]*/, `$1 [${name}]`));
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`;
}
