// Inference: the documentation comment before a declaration, and its code.
import type { Declared } from '../compiler/compiler.js';
import { type DocComment, docCommentIn } from './doc-comment.js';

/** The properties of a declaration that both compilers have. */
interface DeclarationNode {
  readonly pos: number;
  readonly end: number;
  readonly parent?: DeclarationNode;
  /** Of a list of variables. */
  readonly declarations?: unknown;
  /** Of a statement with variables. */
  readonly declarationList?: unknown;
  getStart(): number;
  getSourceFile(): { readonly text: string };
}

/** That of a variable is before its statement. */
export function declaredComment(declaration: unknown): DocComment | undefined {
  const node = declaration as DeclarationNode;
  return commentBefore(node) ?? commentBefore(statementOf(node));
}

export function declaredIn(declaration: unknown): Declared {
  const { pos, end, getSourceFile } = declaration as DeclarationNode;
  const code = getSourceFile.call(declaration).text.slice(pos, end);
  return { comment: declaredComment(declaration), code };
}

function commentBefore(node: DeclarationNode | undefined): DocComment | undefined {
  if (node === undefined) return undefined;
  return docCommentIn(node.getSourceFile().text.slice(node.pos, node.getStart()), node.pos === 0);
}

function statementOf({ parent }: DeclarationNode): DeclarationNode | undefined {
  const statement = parent?.declarations === undefined ? undefined : parent.parent;
  return statement?.declarationList === undefined ? undefined : statement;
}
