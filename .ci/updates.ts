// What `npm run try-updates` knows without trying: which updates there are, which need a newer Node.js, what the first
// errors of an output are, and how the results are shown.
import { satisfies, validRange } from 'semver';

/** The part of the repository that has the dependency: `fw`, or a template by its name. */
export interface Update {
  readonly name: string;
  readonly where: string;
  readonly from: string;
  readonly to: string;
}

export interface Outcome extends Update {
  /** One line: `passes`, or what breaks. */
  readonly result: string;
  /** The first errors of each step that failed. */
  readonly details: readonly string[];
}

interface Outdated {
  readonly current?: string;
  readonly wanted: string;
  readonly latest: string;
  /** The folder that has it, in a workspace. */
  readonly dependent?: string;
}

/** What `npm outdated --json` prints: a list for a dependency that several members of a workspace have. */
export type OutdatedList = Readonly<Record<string, Outdated | readonly Outdated[]>>;

/** Of a checkout: what is not installed in its newest version. */
export function updatesOfCheckout(list: OutdatedList): Update[] {
  return Object.entries(list).flatMap(([name, found]) => {
    const [{ current, wanted, latest } = { wanted: '', latest: '' }] = [found].flat();
    const from = current ?? wanted;
    return from === latest ? [] : [{ name, where: 'fw', from, to: latest }];
  });
}

/**
 * Of templates, which have no lock file: what their ranges keep from its newest version. Each is tried once, in the
 * last template that has it, which is the most complete one.
 * @param order the names of the templates, from simple to complete
 */
export function updatesOfTemplates(list: OutdatedList, order: readonly string[]): Update[] {
  return Object.entries(list).flatMap(([name, found]) => {
    const [last] = [found]
      .flat()
      .filter(({ wanted, latest, dependent = '' }) => wanted !== latest && order.includes(dependent))
      .sort((one, other) => order.indexOf(other.dependent ?? '') - order.indexOf(one.dependent ?? ''));
    return last?.dependent === undefined
      ? []
      : [{ name, where: last.dependent, from: last.wanted, to: last.latest }];
  });
}

/** Those with the names, or all without one; `name@version` asks for that version. */
export function chosenUpdates(
  updates: readonly Update[],
  names: readonly string[],
): { readonly chosen: Update[]; readonly unknown: string[] } {
  if (names.length === 0) return { chosen: [...updates], unknown: [] };
  const unknown: string[] = [];
  const chosen = names.flatMap((asked) => {
    const [, name = asked, version] = /^(.+)@([^@]+)$/.exec(asked) ?? [];
    const found = updates.filter((one) => one.name === name);
    if (found.length === 0) unknown.push(name);
    return found.map((one) => ({ ...one, to: version ?? one.to }));
  });
  return { chosen, unknown };
}

/**
 * Why a version cannot be had, if it does not run on the oldest Node.js that fw supports.
 * @param engines the range in `engines.node` of the package; empty if it has none
 */
export function refusedByEngines(engines: string, oldest: string): string | undefined {
  if (validRange(engines) === null || satisfies(oldest, engines)) return undefined;
  return `not tried: needs Node.js ${engines}, and fw supports ${oldest}`;
}

/** A line that says what is wrong, in the outputs of npm, tsc, Biome, Vitest, Node.js and esbuild. */
const ERRORS: readonly RegExp[] = [
  /^npm error (?!code|A complete log)\S/,
  /error TS\d+:/,
  /^\S+ \S+ ━|^ *×(?! Some )/,
  /^ *(?:FAIL|⎯+ Failed)/,
  /^\s*\w*Error\b.*:/,
  /^✘ \[ERROR\]/,
];

/** The first lines that say what is wrong; otherwise the last lines of the output. */
export function firstErrors(output: string, count: number): string[] {
  const lines = output.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()]));
  const errors = [
    ...new Set(lines.filter((line) => ERRORS.some((one) => one.test(line))).map((line) => line.trim())),
  ];
  const shown = errors.length > 0 ? errors.slice(0, count) : lines.slice(-count).map((line) => line.trim());
  return shown.map((line) => (line.length > 160 ? `${line.slice(0, 159)}…` : line));
}

/** A table for people, with what breaks below its row. */
export function updateTable(outcomes: readonly Outcome[]): string {
  const cells = outcomes.map(({ name, where, from, to, result }) => [name, where, from, to, result]);
  const head = ['package', 'in', 'from', 'to', 'result'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ');
  return [
    line(head),
    ...outcomes.flatMap(({ details }, index) => [
      line(cells[index] ?? []),
      ...details.map((detail) => `    ${detail}`),
    ]),
  ].join('\n');
}
