// Inference: the top-level statements of a source file, and what they declare. What did not change is found by them.

import type { Syntax, SyntaxFile, SyntaxNode } from '../compiler/syntax.js';
import { isProcedureCall } from '../find/find-registrations.js';

export interface Statement {
  /** With everything between it and the statement before. */
  readonly text: string;
  /** The words in its text, of which every name is one. */
  readonly words: () => ReadonlySet<string>;
  /** `other` for statements that may change the types of names which they do not declare. */
  readonly kind: 'declaration' | 'registration' | 'other';
  /** The names that it declares in the file. */
  readonly declares: readonly string[];
  /** Whether these are variables, whose types depend on where they are assigned. */
  readonly isVariable: boolean;
}

/** A statement, and where the one before it ends. */
interface Located {
  readonly node: SyntaxNode;
  readonly start: number;
}

function statementOf({ node, start }: Located, text: string, syntax: Syntax): Statement {
  const code = text.slice(start, node.end);
  let words: ReadonlySet<string> | undefined;
  const own = {
    text: code,
    words: () => {
      words ??= wordsIn(code);
      return words;
    },
    isVariable: false,
  };
  const { SyntaxKind } = syntax;
  switch (node.kind) {
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.EnumDeclaration:
      return { ...own, kind: 'declaration', declares: namesIn(node.name, text) };
    case SyntaxKind.VariableStatement: {
      const { declarationList: list } = node;
      if (list === undefined) break;
      const declares = [...list.declarations].flatMap(({ name }) => namesIn(name, text));
      return {
        ...own,
        kind: 'declaration',
        declares,
        isVariable: !/^const\b/.test(text.slice(list.getStart())),
      };
    }
    case SyntaxKind.ImportDeclaration: {
      const { name, namedBindings } = node.importClause ?? {};
      const named = [...(namedBindings?.elements ?? [])].map((one) => one.name);
      const all = [name, namedBindings?.name, ...named];
      return { ...own, kind: 'declaration', declares: all.flatMap((one) => namesIn(one, text)) };
    }
    case SyntaxKind.ExportDeclaration:
    case SyntaxKind.ExportAssignment:
      return { ...own, kind: 'declaration', declares: [] };
    default:
      if (isProcedureCall(node.expression, syntax)) return { ...own, kind: 'registration', declares: [] };
  }
  return { ...own, kind: 'other', declares: [] };
}

/** The name, or every word of a pattern such as `{ a: { b } }`. */
function namesIn(node: SyntaxNode | undefined, text: string): readonly string[] {
  if (node === undefined) return [];
  return node.text === undefined ? [...wordsIn(text.slice(node.getStart(), node.end))] : [node.text];
}

/** How the statements of a file differ from those of its former version: in one section without gaps. */
export interface Section {
  /** The number of equal statements before the section. */
  readonly start: number;
  /** The number of equal statements after it. */
  readonly rest: number;
}

/** @returns all new statements, those that are equal being the same objects as before; and where they differ */
export function compareStatements(
  before: readonly Statement[],
  file: SyntaxFile,
  syntax: Syntax,
): { readonly after: readonly Statement[]; readonly section: Section } {
  let end = 0;
  const nodes = Array.from(file.statements, (node): Located => {
    const start = end;
    ({ end } = node);
    return { node, start };
  });
  const most = Math.min(before.length, nodes.length);
  const isSame = (old: Statement | undefined, now: Located | undefined) =>
    old !== undefined &&
    now !== undefined &&
    old.text.length === now.node.end - now.start &&
    file.text.startsWith(old.text, now.start);
  let start = 0;
  while (start < most && isSame(before[start], nodes[start])) start++;
  let rest = 0;
  while (rest < most - start && isSame(before.at(-1 - rest), nodes.at(-1 - rest))) rest++;
  const changed = nodes.slice(start, nodes.length - rest);
  return {
    after: [
      ...before.slice(0, start),
      ...changed.map((one) => statementOf(one, file.text, syntax)),
      ...before.slice(before.length - rest),
    ],
    section: { start, rest },
  };
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;
const ESCAPE = /\\u(?:([\da-f]{4})|\{0*([\da-f]{1,6})\})/gi;

/** Names, keywords, and words in texts and comments; names that are written with escapes such as `\u0061` too. */
export function wordsIn(code: string): Set<string> {
  const words = new Set(code.match(WORD));
  if (!code.includes('\\u')) return words;
  for (const word of code.replace(ESCAPE, unescaped).match(WORD) ?? []) words.add(word);
  return words;
}

function unescaped(whole: string, four: string | undefined, six: string | undefined): string {
  const point = Number.parseInt(four ?? six ?? '', 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}
