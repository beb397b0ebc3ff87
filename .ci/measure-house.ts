// Measures the house plan: npm run measure:house. Prints each figure beside its goal and its bound, and fails if one is
// worse than its bound: what has been reached must not be lost.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Expression, type Program, parseSync, Visitor } from 'oxc-parser';
import { type Import, importsOf, sourceFiles } from './source-imports.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the house is to become, and what it must not fall behind. Lower is better, but where `isFloor`. */
/** Lines of code of the longest file, and lines of the longest function. */
const LONGEST_FILE = 300;
const LONGEST_FUNCTION = 76;

interface Measure {
  readonly name: string;
  readonly value: number;
  readonly goal: number;
  /** Fails beyond it. Tighten it when a figure improves. What grows with the features has none. */
  readonly bound?: number;
  readonly isFloor?: true;
}

const files = sourceFiles(root);
const imports = importsOf(root, files);
const sources = files.map((file) => readSource(file));
const codeLines = sources.map(({ lines }) => lines);
const kiloLines = sum(sources.map(({ all }) => all)) / 1000;
const thousands = sum(codeLines) / 1000;
const functions = sources.flatMap((one) => one.functions);
const get = enteredByGet();

const measures: readonly Measure[] = [
  { name: 'files', value: files.length, goal: 690 },
  // 690 files of 59,000 lines: the plan was made before much of what there is.
  { name: 'files in a thousand lines', value: round(files.length / kiloLines), goal: 11.7, bound: 10 },
  {
    name: 'thousand lines, with comments',
    value: round(kiloLines),
    goal: 59,
  },
  {
    name: 'lines of a file, with comments, median',
    value: quantile(
      sources.map(({ all }) => all),
      0.5,
    ),
    goal: 75,
    bound: 75,
    isFloor: true,
  },
  { name: 'lines of code of a file, largest', value: Math.max(...codeLines), goal: 300, bound: LONGEST_FILE },
  // The run time of clients is modules that its index alone imports.
  // Each view of the workbench, and each way to record, is an idea that one place uses.
  // Migrations, settings and stores in SQL came as parts that one entry of the package uses: 30.5 before them.
  // Tools, resources, prompts and questions of MCP are ideas of one server: 30.8 before them.
  { name: 'files that are imported exactly once, %', value: importedOnce(), goal: 25, bound: 31.2 },
  {
    name: 'imports in 100 lines',
    value: round(imports.length / kiloLines / 10),
    goal: 4,
    bound: 4.8,
  },
  { name: 'lines of a function, p90', value: quantile(functions, 0.9), goal: 17, bound: 17 },
  { name: 'lines of a function, largest', value: Math.max(...functions), goal: 60, bound: LONGEST_FUNCTION },
  {
    name: 'any, in a thousand lines of code',
    value: round(sum(sources.map((one) => one.anys)) / thousands),
    goal: 0.14,
    bound: 0.14,
  },
  { name: 'deepest inheritance of own classes, without errors', value: inheritance(), goal: 1, bound: 1 },
  {
    name: 'constants of a text, a number or an expression in small letters',
    value: sum(sources.map(({ smallConstants }) => smallConstants.length)),
    goal: 0,
    bound: 0,
  },
  {
    name: 'pairs of folders that import values of each other',
    value: mutualFolders().length,
    goal: 0,
    bound: 0,
  },
  { name: 'a GET: files', value: get.files, goal: 14, bound: 19 },
  { name: 'a GET: functions', value: get.functions, goal: 50, bound: 74 },
];

const rows = measures.map(({ name, value, goal, bound, isFloor }) => {
  const sign = isFloor ? '≥' : '≤';
  const held = bound === undefined ? '' : `, bound ${sign} ${bound}`;
  return `${name.padEnd(52)} ${String(value).padStart(7)}   goal ${sign} ${goal}${held}`;
});
console.log(rows.join('\n'));
const worse = measures.filter(
  ({ value, bound, isFloor }) => bound !== undefined && (isFloor ? value < bound : value > bound),
);
for (const { name, value, bound } of worse) {
  console.error(
    `${name}: ${value} is worse than ${bound}; simplify what was added, or change the plan in .ci/measure-house.ts with its reason`,
  );
}
for (const [index, { lines, functions: lengths }] of sources.entries()) {
  if (lines > LONGEST_FILE) console.error(`${files[index]} has ${lines} lines of code`);
  for (const length of lengths)
    if (length > LONGEST_FUNCTION) console.error(`${files[index]} has a function of ${length} lines`);
}
for (const [index, { smallConstants }] of sources.entries()) {
  for (const name of smallConstants)
    console.error(`${files[index]}: write ${name} in capitals, as CAPITAL_LETTERS`);
}
for (const pair of mutualFolders()) console.error(`${pair} import values of each other`);
if (worse.length > 0) process.exit(1);

interface Source {
  readonly all: number;
  /** Without comments and empty lines. */
  readonly lines: number;
  readonly functions: readonly number[];
  readonly anys: number;
  /** At the top level. */
  readonly smallConstants: readonly string[];
  /** Each class, with the one that it extends. */
  readonly classes: readonly (readonly [string, string | undefined])[];
}

function readSource(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, comments } = parseSync(file, text);
  const starts = lineStarts(text);
  const functions: number[] = [];
  const classes: [string, string | undefined][] = [];
  let anys = 0;
  const measured = ({ start, end }: { start: number; end: number }): void => {
    functions.push(lineAt(starts, end) - lineAt(starts, start) + 1);
  };
  new Visitor({
    FunctionDeclaration: measured,
    FunctionExpression: measured,
    ArrowFunctionExpression: measured,
    TSAnyKeyword: () => {
      anys++;
    },
    ClassDeclaration({ id, superClass }) {
      if (id) classes.push([id.name, superClass?.type === 'Identifier' ? superClass.name : undefined]);
    },
  }).visit(program);
  let code = text;
  for (const { start, end } of comments.toReversed()) {
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, '') + code.slice(end);
  }
  const lines = code.split('\n').filter((line) => line.trim() !== '').length;
  return {
    all: starts.length - 1,
    lines,
    functions,
    anys,
    classes,
    smallConstants: program.body.flatMap(smallConstants),
  };
}

function smallConstants(statement: Program['body'][number]): string[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
  return declaration.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && isPlainValue(init) && !/^[A-Z][A-Z0-9_]*$/.test(id.name) ? [id.name] : [],
  );
}

/** A text, a number, a regular expression, or what is computed of them. */
function isPlainValue(value: Expression | null | undefined): boolean {
  if (value?.type === 'Literal') return value.value !== null && typeof value.value !== 'boolean';
  if (value?.type === 'TemplateLiteral') return value.expressions.length === 0;
  if (value?.type === 'UnaryExpression') return isPlainValue(value.argument);
  if (value?.type === 'BinaryExpression')
    return isPlainValue(value.left as Expression) && isPlainValue(value.right);
  return value?.type === 'TSAsExpression' && isPlainValue(value.expression);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  const after = starts.findIndex((start) => start > offset);
  return after === -1 ? starts.length : after;
}

/** Of all files, those that one other file imports. */
function importedOnce(): number {
  const by = new Map<string, Set<string>>();
  for (const { from, to } of imports) by.set(to, (by.get(to) ?? new Set()).add(from));
  return round(([...by.values()].filter(({ size }) => size === 1).length / files.length) * 100);
}

/** Errors are left out: what kind an error is, is part of the API. */
function inheritance(): number {
  const own = new Set(sources.flatMap(({ classes }) => classes.map(([name]) => name)));
  const above = new Map(sources.flatMap(({ classes }) => classes));
  const depth = (name: string): number => {
    const base = above.get(name);
    return base === undefined || !own.has(base) ? 0 : 1 + depth(base);
  };
  return Math.max(...[...own].filter((name) => !/Error$|^InvalidInput$/.test(name)).map(depth));
}

function mutualFolders(): string[] {
  const values = new Set(imports.filter((one) => !one.isType).map((one) => arrow(one)));
  const pairs = [...values].map((text) => text.split(' → ') as [string, string]);
  return pairs.filter(([a, b]) => a < b && values.has(`${b} → ${a}`)).map(([a, b]) => `${a} and ${b}`);
}

/** An index.ts is an entry, above everything. */
function arrow({ from, to }: Import): string {
  const folder = (file: string) => (file.endsWith('/index.ts') ? file : dirname(file));
  return folder(from) === folder(to) ? '' : `${folder(from)} → ${folder(to)}`;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The files and functions that one GET over HTTP enters, counted in a process of its own. */
function enteredByGet(): { readonly files: number; readonly functions: number } {
  const program = fileURLToPath(new URL('measure-get.ts', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', program], { cwd: root, encoding: 'utf8' }),
  );
}
