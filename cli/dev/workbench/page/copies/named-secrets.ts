// The page about the app: variables for the secrets of a copied request, whose values the page does not have.

/** What stands for a secret in what the page gets. */
export const MASK = '••••••';

/** A text that stands for itself, or a variable that has a secret. */
export type Part = { readonly text: string } | { readonly variable: string };

/** Gives each secret of one request a variable, named after what it belongs to. */
export class NamedSecrets {
  readonly #style: 'shell' | 'script';
  readonly #names: string[] = [];

  constructor(style: 'shell' | 'script') {
    this.#style = style;
  }

  /** In the order in which they were found. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** @param owner such as the name of a header, for a mask that has no name in front of it */
  partsOf(text: string, owner: string): Part[] {
    const texts = text.split(MASK);
    return texts.flatMap((part, index): Part[] => {
      const before = part === '' ? [] : [{ text: part }];
      if (index === texts.length - 1) return before;
      return [...before, { variable: this.#add(nameBefore(part) ?? owner) }];
    });
  }

  #add(name: string): string {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .split(/[^A-Za-z0-9]+/)
      .filter(Boolean);
    const plain = words.length === 0 || /^[0-9]/.test(words[0] as string) ? ['secret', ...words] : words;
    const base = this.#style === 'shell' ? plain.join('_').toUpperCase() : camelCase(plain);
    let variable = base;
    for (let count = 2; this.#names.includes(variable); count += 1) variable = `${base}${count}`;
    this.#names.push(variable);
    return variable;
  }
}

/** Words of JavaScript, and what the copied code declares itself. */
const TAKEN: ReadonlySet<string> = new Set([
  'response',
  'client',
  'app',
  'test',
  'fetch',
  'private',
  'default',
]);

function camelCase(words: readonly string[]): string {
  const [first = '', ...others] = words.map((word) => word.toLowerCase());
  const name = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return TAKEN.has(name) ? `${name}Value` : name;
}

/** `sid` of `theme=dark; sid=`, of `a=1&sid=`, and of `"sid":"`. */
function nameBefore(text: string): string | undefined {
  return /([\w.-]{1,100})"?[ \t]{0,8}[=:][ \t]{0,8}"?$/.exec(text.slice(-200))?.[1];
}
