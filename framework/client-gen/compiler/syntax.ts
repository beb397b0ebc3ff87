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
  /** Of `const`, `let` and `var`. */
  readonly declarationList?: SyntaxNode & { readonly declarations: readonly SyntaxNode[] };
  /** Of an import: its default name, and the others. */
  readonly importClause?: SyntaxNode & {
    readonly namedBindings?: SyntaxNode & { readonly elements?: readonly SyntaxNode[] };
  };
  getStart(): number;
}

/** A source file. */
export interface SyntaxFile extends SyntaxNode {
  readonly text: string;
  readonly statements: Iterable<SyntaxNode>;
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
    readonly ClassDeclaration: number;
    readonly EnumDeclaration: number;
    readonly ExportAssignment: number;
    readonly ExportDeclaration: number;
    readonly FunctionDeclaration: number;
    readonly ImportDeclaration: number;
    readonly InterfaceDeclaration: number;
    readonly TypeAliasDeclaration: number;
    readonly VariableStatement: number;
  };
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** Whether a declaration is not inside of a function or a namespace; false if it cannot be found. */
export function isTopLevel(declaration: { readonly parent?: object | undefined } | undefined): boolean {
  const file = declaration?.parent as { readonly parent?: object } | undefined;
  return file !== undefined && file.parent === undefined;
}

/** The value of a string literal; undefined for other expressions. */
export function literalText({ kind, text }: SyntaxNode, { SyntaxKind }: Syntax): string | undefined {
  const isLiteral = kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral;
  return isLiteral ? text : undefined;
}
