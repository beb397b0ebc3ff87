// The documentation: what a page consists of, for terminals, for browsers and for the search. There is no HTML in it.

/** A part of a line. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly parts: readonly Inline[] }
  | { readonly kind: 'emphasis'; readonly parts: readonly Inline[] }
  /** `to` is a page of the documentation, with the slug of a heading, or an `https` address. */
  | { readonly kind: 'link'; readonly parts: readonly Inline[]; readonly to: LinkTarget }
  /** A file of the folder of pictures. */
  | { readonly kind: 'picture'; readonly file: string; readonly alt: string }
  | { readonly kind: 'break' };

export type LinkTarget =
  | { readonly page: string; readonly slug?: string }
  | { readonly slug: string }
  | { readonly address: string };

export type Block =
  | {
      readonly kind: 'heading';
      readonly depth: number;
      readonly slug: string;
      readonly parts: readonly Inline[];
    }
  | { readonly kind: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | {
      readonly kind: 'list';
      /** The number of the first item; undefined without numbers. */
      readonly start?: number;
      readonly items: readonly (readonly Block[])[];
    }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'rule' };

/** The text of parts of a line, without marks. */
export function plainText(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text' || part.kind === 'code') return part.text;
      if (part.kind === 'break') return ' ';
      return part.kind === 'picture' ? part.alt : plainText(part.parts);
    })
    .join('');
}
