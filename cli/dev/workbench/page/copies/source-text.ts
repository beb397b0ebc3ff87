// The page about the app: values as source text of TypeScript. Secrets are the names of constants.
import { NamedSecrets, type Part } from './named-secrets.js';

/** Writes the values of one piece of code, and the constants for its secrets. */
export class SourceWriter {
  readonly #secrets = new NamedSecrets('script');

  /** Lines that declare the constants; to be asked for when everything is written. */
  get declarations(): string[] {
    return this.#secrets.names.map((name) => `const ${name} = ''; // a secret: write it here`);
  }

  /** @param owner what a secret is called that has no name in front of it */
  text(value: string, owner = 'secret'): string {
    const parts = this.#secrets.partsOf(value, owner);
    const [first] = parts;
    if (parts.every((part) => 'text' in part)) return literal(value);
    if (parts.length === 1 && first !== undefined && 'variable' in first) return first.variable;
    return `\`${parts.map(templatePart).join('')}\``;
  }

  /** A value of JSON. */
  json(value: unknown, indent: string, owner = 'secret'): string {
    if (typeof value === 'string') return this.text(value, owner);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const inner = `${indent}  `;
    const parts = Array.isArray(value)
      ? value.map((one) => this.json(one, inner, owner))
      : Object.entries(value).map(([key, one]) => `${keySource(key)}: ${this.json(one, inner, key)}`);
    const [left, right] = Array.isArray(value) ? '[]' : '{}';
    if (parts.length === 0) return `${left}${right}`;
    const space = Array.isArray(value) ? '' : ' ';
    const line = `${left}${space}${parts.join(', ')}${space}${right}`;
    if (line.length <= 80 && !line.includes('\n')) return line;
    return `${left}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${right}`;
  }

  /** `{ name: value, … }` of headers. */
  headers(fields: readonly (readonly [name: string, value: string])[]): string {
    return `{ ${fields.map(([name, value]) => `${keySource(name)}: ${this.text(value, name)}`).join(', ')} }`;
  }
}

function templatePart(part: Part): string {
  if ('variable' in part) return `\${${part.variable}}`;
  // In a template, neither quotes nor escapes of quotes are needed, but those of what ends it.
  const inner = literal(part.text).slice(1, -1).replaceAll("\\'", "'");
  return inner.replaceAll('`', '\\`').replaceAll('${', '\\${');
}

function keySource(key: string): string {
  // In a literal, `__proto__:` sets the prototype.
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** A string literal with single quotes; what could end a line or a script is escaped. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(UNPRINTABLE, escapeOf);
  return `'${escaped}'`;
}

/** Of what JSON leaves as it is: what ends a line, moves a cursor or turns the direction of text. */
const UNPRINTABLE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

function escapeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** In a comment between slashes and stars, or behind two slashes. */
export function commentText(text: string): string {
  return literal(text).slice(1, -1).replaceAll('*/', '* /');
}
