// MCP: a URI with names in braces (RFC 6570, level 1), and the values that a URI has for them.

const VARIABLE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/;

export class UriTemplate {
  readonly source: string;
  /** Texts between the names, one more than there are names. */
  readonly #texts: readonly string[];
  readonly #names: readonly string[];

  constructor(source: string) {
    this.source = source;
    const parts = source.split(VARIABLE);
    this.#texts = parts.filter((_, index) => index % 2 === 0);
    this.#names = parts.filter((_, index) => index % 2 === 1);
  }

  /** Whether it has no names, and is the URI of one resource. */
  get isFixed(): boolean {
    return this.#names.length === 0;
  }

  /** The values by their names; undefined if the URI is of another form. A value has no slash, and is not empty. */
  match(uri: string): Record<string, string> | undefined {
    const [first = '', ...others] = this.#texts;
    if (!uri.startsWith(first)) return undefined;
    // Without a prototype, because a name may be __proto__.
    const values: Record<string, string> = Object.create(null);
    let at = first.length;
    for (const [index, text] of others.entries()) {
      const isLast = index === others.length - 1;
      const end =
        text === '' ? (isLast ? uri.length : -1) : isLast ? endOf(uri, text, at) : uri.indexOf(text, at);
      if (end <= at) return undefined;
      const value = decoded(uri.slice(at, end));
      if (value === undefined) return undefined;
      values[this.#names[index] as string] = value;
      at = end + text.length;
    }
    return at === uri.length ? values : undefined;
  }
}

function endOf(uri: string, text: string, from: number): number {
  const at = uri.length - text.length;
  return at >= from && uri.endsWith(text) ? at : -1;
}

function decoded(value: string): string | undefined {
  if (value.includes('/')) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    // Malformed percent-encoding.
    return undefined;
  }
}
