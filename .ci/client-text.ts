// Writes framework/client/runtime-text.ts, the run time of generated clients as text: its declarations with what each
// needs, so that a standalone client has those alone that it uses. A part of npm run build.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import ts from 'typescript-6';
import type { RuntimePart } from '../framework/client/runtime-parts.js';

const folder = fileURLToPath(new URL('../framework/client/runtime/', import.meta.url));
export const textFile: string = join(folder, '../runtime-text.ts');

/** Writes the file if it changes. */
export function writeClientText(): void {
  const text = clientText();
  if (readFileSync(textFile, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(textFile, text);
}

interface NamedPart extends Omit<RuntimePart, 'uses' | 'declared'> {
  readonly uses: readonly string[];
  readonly declared?: { readonly text: string; readonly uses: readonly string[] };
}

export function clientText(): string {
  const files = inOrder(join(folder, 'index.ts')).map((file) => ({ file, statements: statementsOf(file) }));
  const names = new Set(files.flatMap(({ statements }) => statements.map(nameOf)));
  const exported = exportedNames(join(folder, 'index.ts'));
  const parts = files.flatMap(({ file, statements }): NamedPart[] => {
    const declared = new Map(declarationsOf(file).map((one) => [nameOf(one), one]));
    return statements.map((statement) => {
      const name = nameOf(statement);
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      const isPublic = ts.isClassDeclaration(statement) && exported.has(name);
      const text = isType || isPublic ? textOf(statement) : withoutComments(textOf(statement));
      const uses = usesOf(statement, names);
      if (!isPublic) return { name, text, uses, ...(isType && { isType }) };
      const declaration = declared.get(name);
      if (declaration === undefined) throw new Error(`${relative(folder, file)} declares no ${name}`);
      return {
        name,
        text,
        uses,
        declared: { text: indentedByTwo(textOf(declaration)), uses: usesOf(declaration, names) },
      };
    });
  });
  // Compressed, because every app with procedures loads it and few generate a client themselves.
  const packed = deflateRawSync(JSON.stringify(numbered(parts)), { level: 9 }).toString('base64');
  return `// Made from framework/client/runtime by npm run build: do not edit.

/** The declarations of the run time, as JSON: compressed, in base64. */
export const RUNTIME_TEXT = '${packed}';
`;
}

/** With the places of what a part uses instead of its names, which are shorter. */
function numbered(parts: readonly NamedPart[]): RuntimePart[] {
  const places = new Map(parts.map(({ name }, place) => [name, place]));
  const placesOf = (names: readonly string[]): number[] => names.map((name) => places.get(name) ?? -1);
  return parts.map(({ uses, declared, ...part }) => ({
    ...part,
    uses: placesOf(uses),
    ...(declared && { declared: { text: declared.text, uses: placesOf(declared.uses) } }),
  }));
}

/** The modules, each behind those that it imports. */
function inOrder(file: string, done: Set<string> = new Set()): string[] {
  if (done.has(file)) return [];
  done.add(file);
  const imported = parse(file).statements.flatMap((statement) => {
    const from =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
        ? statement.moduleSpecifier
        : undefined;
    return from !== undefined && ts.isStringLiteral(from)
      ? inOrder(join(dirname(file), from.text.replace(/\.js$/, '.ts')), done)
      : [];
  });
  return [...imported, file];
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function statementsOf(file: string): ts.Statement[] {
  return parse(file).statements.filter((one) => !ts.isImportDeclaration(one) && !ts.isExportDeclaration(one));
}

/** The statements of the declarations that TypeScript emits. */
function declarationsOf(file: string): ts.Statement[] {
  const { outputText } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, strict: true },
  });
  const declarations = ts.createSourceFile('declared.d.ts', outputText, ts.ScriptTarget.Latest, true);
  return declarations.statements.filter(
    (one) => !ts.isImportDeclaration(one) && !ts.isExportDeclaration(one),
  );
}

function exportedNames(file: string): Set<string> {
  return new Set(
    parse(file).statements.flatMap((statement) => {
      const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
      return clause !== undefined && ts.isNamedExports(clause)
        ? clause.elements.map(({ name }) => name.text)
        : [];
    }),
  );
}

function nameOf(statement: ts.Statement): string {
  const name = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]?.name
    : (statement as ts.DeclarationStatement).name;
  if (name === undefined || !ts.isIdentifier(name)) {
    throw new Error(`the run time of clients has a statement without a name: ${statement.getText()}`);
  }
  return name.text;
}

/** With the comment directly before it, and without `export` and `declare`. */
function textOf(statement: ts.Statement): string {
  const source = statement.getSourceFile().text;
  const comment = ts.getLeadingCommentRanges(source, statement.getFullStart())?.at(-1);
  const start = statement.getStart();
  const isOwn = comment !== undefined && !/\n\s*\n/.test(source.slice(comment.end, start));
  const bare = source.slice(start, statement.end).replace(/^(?:export )?(?:declare )?/, '');
  return isOwn ? `${source.slice(comment.pos, comment.end)}\n${bare}` : bare;
}

/** Those of the names that it refers to. */
function usesOf(statement: ts.Statement, names: ReadonlySet<string>): string[] {
  const own = nameOf(statement);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.has(node.text) && node.text !== own && !isMember(node))
      found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return [...found].sort();
}

/** Whether it is the name of a member, and refers to nothing. */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node || parent.name === node;
  if (ts.isParameter(parent) || ts.isVariableDeclaration(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isGetAccessor(parent)) &&
    parent.name === node
  );
}

/** What is not exported is explained in the sources. */
function withoutComments(text: string): string {
  return text.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '').replaceAll(/^ *\/\/ .*\n/gm, '');
}

function indentedByTwo(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeClientText();
