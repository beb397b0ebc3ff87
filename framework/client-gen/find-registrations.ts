// Inference: finds calls such as `query('name', …)` in a source file, by their syntax only.
import type { ProcedureKind } from '../rpc/types/wire-type.js';
import { type DocComment, docCommentIn } from './doc-comment.js';

/** The properties of a syntax node that both compilers have. */
export interface SyntaxNode {
  readonly kind: number;
  readonly pos: number;
  readonly end: number;
  readonly expression?: SyntaxNode;
  readonly name?: SyntaxNode;
  readonly text?: string;
  readonly arguments?: readonly SyntaxNode[];
  readonly properties?: readonly SyntaxNode[];
  getStart(): number;
}

/** The node kinds, whose numbers differ between compilers. */
export interface Syntax {
  readonly SyntaxKind: {
    readonly CallExpression: number;
    readonly Identifier: number;
    readonly PropertyAccessExpression: number;
    readonly StringLiteral: number;
    readonly NoSubstitutionTemplateLiteral: number;
    readonly ObjectLiteralExpression: number;
  };
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** A call that may register a procedure; the type of `registry` decides whether it does. */
export interface RegistrationCall {
  readonly kind: ProcedureKind;
  readonly registry: SyntaxNode;
  /** Undefined if the name is not a string literal. */
  readonly name: string | undefined;
  readonly nameNode: SyntaxNode;
  readonly handler: SyntaxNode;
  /** Whether the handler is only named here, so that its comment is where it is declared. */
  readonly isDeclared: boolean;
  /** The documentation comment before the call or, if there is none, before the handler. */
  readonly comment: DocComment | undefined;
  /** Whether the options have a description and a deprecation, which replace those of the comment. */
  readonly hasNote: HasNote;
  readonly hasSchema: { readonly input: boolean; readonly output: boolean };
  /** Set if the options are not an object literal, so that only their type shows the schemas. */
  readonly options: SyntaxNode | undefined;
  /** True if its types are type strings: then only its place is used. */
  readonly hasTexts: boolean;
}

export interface HasNote {
  readonly description: boolean;
  readonly deprecated: boolean;
}

/** The methods of a registry that register a procedure. */
const KINDS: ReadonlyMap<string | undefined, RegistrationCall['kind']> = new Map([
  ['query', 'query'],
  ['mutation', 'mutation'],
  ['subscription', 'subscription'],
  ['queryWithTypes', 'query'],
  ['mutationWithTypes', 'mutation'],
  ['subscriptionWithTypes', 'subscription'],
  ['registerWithTypes', 'mutation'],
]);

const NO_OPTIONS = {
  hasSchema: { input: false, output: false },
  hasNote: { description: false, deprecated: false },
  options: undefined,
};

const WORDS = /\b(?:query|mutation|subscription|(?:query|mutation|subscription|register)WithTypes)\b/g;

/** Whether a file may register a procedure; other files need not be parsed. */
export function mayRegister(text: string): boolean {
  return /\.\s*(?:query|mutation|subscription|(?:query|mutation|subscription|register)WithTypes)\s*[<(]/.test(
    text,
  );
}

export function findRegistrations(file: SyntaxNode, text: string, syntax: Syntax): RegistrationCall[] {
  const { SyntaxKind, forEachChild } = syntax;
  const calls: RegistrationCall[] = [];
  const words = [...text.matchAll(WORDS)].map(({ index }) => index);
  const visit = (node: SyntaxNode): void => {
    // Nodes are created when they are visited, so parts without a registration are skipped.
    if (!hasBetween(words, node.pos, node.end)) return;
    forEachChild(node, visit);
    if (node.kind !== SyntaxKind.CallExpression) return;
    const { expression, arguments: args = [] } = node;
    if (expression?.kind !== SyntaxKind.PropertyAccessExpression) return;
    const method = expression.name?.text;
    const kind = KINDS.get(method);
    const [nameNode, second, third] = args;
    if (kind === undefined || !nameNode || !second || !expression.expression) return;
    const isLiteral =
      nameNode.kind === SyntaxKind.StringLiteral ||
      nameNode.kind === SyntaxKind.NoSubstitutionTemplateLiteral;
    const hasTexts = method !== kind;
    const handler = hasTexts ? second : (third ?? second);
    calls.push({
      kind,
      registry: expression.expression,
      name: isLiteral ? nameNode.text : undefined,
      nameNode,
      handler,
      isDeclared:
        handler.kind === SyntaxKind.Identifier || handler.kind === SyntaxKind.PropertyAccessExpression,
      comment: commentOf(node, text, syntax) ?? commentBefore(handler, text),
      ...(third === undefined || hasTexts ? NO_OPTIONS : optionsOf(second, syntax)),
      hasTexts,
    });
  };
  visit(file);
  return calls;
}

/** @param sorted in ascending order */
function hasBetween(sorted: readonly number[], start: number, end: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] as number) < end;
}

/** The comment before the name of the method or, for the first call of a statement, before the statement. */
function commentOf(call: SyntaxNode, text: string, { SyntaxKind }: Syntax): DocComment | undefined {
  const { expression } = call;
  const start = expression?.expression;
  if (start === undefined || expression?.name === undefined) return undefined;
  const own = docCommentIn(text.slice(start.end, expression.name.getStart()));
  if (own !== undefined) return own;
  let first: SyntaxNode = start;
  while (
    (first.kind === SyntaxKind.CallExpression || first.kind === SyntaxKind.PropertyAccessExpression) &&
    first.expression !== undefined
  ) {
    // A call of the same chain comes first, and the comment is its.
    if (first.kind === SyntaxKind.CallExpression && isRegistering(first)) return undefined;
    first = first.expression;
  }
  return commentBefore(first, text);
}

function isRegistering({ expression }: SyntaxNode): boolean {
  return KINDS.has(expression?.name?.text);
}

function commentBefore(node: SyntaxNode, text: string): DocComment | undefined {
  return docCommentIn(text.slice(node.pos, node.getStart()), node.pos === 0);
}

function optionsOf(
  options: SyntaxNode,
  { SyntaxKind }: Syntax,
): Pick<RegistrationCall, 'hasSchema' | 'hasNote' | 'options'> {
  const names = (options.properties ?? []).map(({ name }) => name?.text);
  // A spread has no name, and a computed name no text.
  const isWhole = options.kind === SyntaxKind.ObjectLiteralExpression && !names.includes(undefined);
  return {
    hasSchema: { input: names.includes('input'), output: names.includes('output') },
    hasNote: { description: names.includes('description'), deprecated: names.includes('deprecated') },
    options: isWhole ? undefined : options,
  };
}
