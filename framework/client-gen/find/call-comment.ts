// Inference: the documentation comment of a call that registers something, by its syntax.

import type { Syntax, SyntaxNode } from '../compiler/syntax.js';
import { type DocComment, docCommentIn } from '../walk/doc-comment.js';

/**
 * The comment before the name of the method or, for the first registration of a statement, before the statement; or
 * else before the handler.
 *
 * @param registers whether a method of this name registers something too
 */
export function callComment(
  call: SyntaxNode,
  handler: SyntaxNode,
  text: string,
  { SyntaxKind }: Syntax,
  registers: (method: string) => boolean,
): DocComment | undefined {
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
    if (first.kind === SyntaxKind.CallExpression && registers(first.expression.name?.text ?? ''))
      return commentBefore(handler, text);
    first = first.expression;
  }
  return commentBefore(first, text) ?? commentBefore(handler, text);
}

function commentBefore(node: SyntaxNode, text: string): DocComment | undefined {
  return docCommentIn(text.slice(node.pos, node.getStart()), node.pos === 0);
}

/** Whether a handler is only named here, so that its comment is where it is declared. */
export function isNamed({ kind }: SyntaxNode, { SyntaxKind }: Syntax): boolean {
  return kind === SyntaxKind.Identifier || kind === SyntaxKind.PropertyAccessExpression;
}
