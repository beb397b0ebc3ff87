// Inference: finds `query('name', …)` and its like in a source file, by their syntax alone.

/** The part of a syntax tree's node that both compilers have. */
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

/** What the compilers number differently. */
export interface Syntax {
  readonly SyntaxKind: {
    readonly CallExpression: number;
    readonly PropertyAccessExpression: number;
    readonly StringLiteral: number;
    readonly NoSubstitutionTemplateLiteral: number;
    readonly ObjectLiteralExpression: number;
  };
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** A call that may register a procedure: whether it does, the type of `registry` tells. */
export interface RegistrationCall {
  readonly kind: 'query' | 'mutation';
  readonly registry: SyntaxNode;
  /** Undefined where the name is no string literal. */
  readonly name: string | undefined;
  readonly nameNode: SyntaxNode;
  readonly handler: SyntaxNode;
  readonly hasSchema: { readonly input: boolean; readonly output: boolean };
  /** Set where they are not written out, and only their type tells of schemas. */
  readonly options: SyntaxNode | undefined;
  /** Its types are written as text: only its place is of interest. */
  readonly hasTexts: boolean;
}

/** The methods of a registry that register a procedure. */
const KINDS: ReadonlyMap<string | undefined, RegistrationCall['kind']> = new Map([
  ['query', 'query'],
  ['mutation', 'mutation'],
  ['queryWithTypes', 'query'],
  ['mutationWithTypes', 'mutation'],
  ['registerWithTypes', 'mutation'],
]);

const NO_OPTIONS = { hasSchema: { input: false, output: false }, options: undefined };

const WORDS = /\b(?:query|mutation|(?:query|mutation|register)WithTypes)\b/g;

/** Spares parsing files that cannot register anything. */
export function mayRegister(text: string): boolean {
  return /\.\s*(?:query|mutation|(?:query|mutation|register)WithTypes)\s*[<(]/.test(text);
}

export function findRegistrations(file: SyntaxNode, text: string, syntax: Syntax): RegistrationCall[] {
  const { SyntaxKind, forEachChild } = syntax;
  const calls: RegistrationCall[] = [];
  const words = [...text.matchAll(WORDS)].map(({ index }) => index);
  const visit = (node: SyntaxNode): void => {
    // Most of a file is about something else, and its nodes are made when they are visited.
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
    calls.push({
      kind,
      registry: expression.expression,
      name: isLiteral ? nameNode.text : undefined,
      nameNode,
      handler: hasTexts ? second : (third ?? second),
      ...(third === undefined ? NO_OPTIONS : schemasOf(second, syntax)),
      hasTexts,
    });
  };
  visit(file);
  return calls;
}

/** @param sorted ascending. */
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

function schemasOf(
  options: SyntaxNode,
  { SyntaxKind }: Syntax,
): Pick<RegistrationCall, 'hasSchema' | 'options'> {
  const names = (options.properties ?? []).map(({ name }) => name?.text);
  // A spread has no name, and a computed one no text.
  const isWhole = options.kind === SyntaxKind.ObjectLiteralExpression && !names.includes(undefined);
  return {
    hasSchema: { input: names.includes('input'), output: names.includes('output') },
    options: isWhole ? undefined : options,
  };
}
