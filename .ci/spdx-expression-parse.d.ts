declare module 'spdx-expression-parse' {
  export type Expression =
    | { readonly license: string; readonly plus?: true; readonly exception?: string }
    | { readonly left: Expression; readonly conjunction: 'and' | 'or'; readonly right: Expression };

  /** @throws Error if the text is not an SPDX expression, or names a licence that SPDX does not list */
  export default function parse(expression: string): Expression;
}
