// Inference: finds calls such as `query('name', …)` in a source file, by their syntax only.
import type { ProcedureKind } from '../../wire/wire-type.js';
import { literalText, type Syntax, type SyntaxNode } from '../compiler/syntax.js';
import type { DocComment } from '../walk/doc-comment.js';
import { callComment, isNamed } from './call-comment.js';

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

export const PROCEDURE_CALL: RegExp =
  /\b(?:query|mutation|subscription|(?:query|mutation|subscription|register)WithTypes)\b/g;

/** Whether a file may register a procedure; other files need not be parsed. */
export function mayRegisterProcedure(text: string): boolean {
  return /\.\s*(?:query|mutation|subscription|(?:query|mutation|subscription|register)WithTypes)\s*[<(]/.test(
    text,
  );
}

/** Whether it is a call of a method that registers a procedure, by its name. */
export function isProcedureCall(node: SyntaxNode | undefined, { SyntaxKind }: Syntax): boolean {
  if (node?.kind !== SyntaxKind.CallExpression) return false;
  const { expression } = node;
  return expression?.kind === SyntaxKind.PropertyAccessExpression && KINDS.has(expression.name?.text);
}

export function findProcedure(node: SyntaxNode, text: string, syntax: Syntax): RegistrationCall | undefined {
  const { expression, arguments: args = [] } = node;
  if (expression?.kind !== syntax.SyntaxKind.PropertyAccessExpression) return undefined;
  const method = expression.name?.text;
  const kind = KINDS.get(method);
  const [nameNode, second, third] = args;
  if (kind === undefined || !nameNode || !second || !expression.expression) return undefined;
  const hasTexts = method !== kind;
  const handler = hasTexts ? second : (third ?? second);
  return {
    kind,
    registry: expression.expression,
    name: literalText(nameNode, syntax),
    nameNode,
    handler,
    isDeclared: isNamed(handler, syntax),
    comment: callComment(node, handler, text, syntax, (name) => KINDS.has(name)),
    ...(third === undefined || hasTexts ? NO_OPTIONS : optionsOf(second, syntax)),
    hasTexts,
  };
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
