// Inference: syntax trees, as both compilers have them.

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
  /** Of a property of an object literal. */
  readonly initializer?: SyntaxNode;
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

/** The value of a string literal; undefined for other expressions. */
export function literalText({ kind, text }: SyntaxNode, { SyntaxKind }: Syntax): string | undefined {
  const isLiteral = kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral;
  return isLiteral ? text : undefined;
}
