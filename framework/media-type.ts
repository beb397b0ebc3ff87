// Media types: reads the one that a client sent, says whether it is JSON, and how a message shows it.
import { trimBlanks } from './white-space.js';

const LONGEST_SHOWN = 100;

/** The type in part, so that an answer does not grow with the header field. */
export function shownType(type: string): string {
  return type.length > LONGEST_SHOWN ? `${type.slice(0, LONGEST_SHOWN)}…` : type;
}

export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly name: string;
  /** Lower-case names and values, the quotes and escapes of quoted ones removed, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const NAME = /[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*/y;
/** RFC 9110, section 5.6.6 allows empty ones. */
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?/y;

/** A media type with well-formed parameters (RFC 9110, section 8.3.1); undefined for anything else, such as two. */
export function readMediaType(text: string): MediaType | undefined {
  NAME.lastIndex = 0;
  const start = NAME.exec(text)?.[0];
  if (start === undefined) return undefined;
  const parameters: [string, string][] = [];
  PARAMETER.lastIndex = start.length;
  while (PARAMETER.lastIndex < text.length) {
    const found = PARAMETER.exec(text);
    if (found === null) return undefined;
    const [, name, token, quoted = ''] = found;
    if (name !== undefined) parameters.push([name.toLowerCase(), token ?? quoted.replace(/\\(.)/g, '$1')]);
  }
  return { name: trimBlanks(start).toLowerCase(), parameters };
}

/**
 * `application/json` or a `+json` type with well-formed parameters, and nothing that other readers could take for
 * another type, such as two types in one field.
 */
export function isJsonType(type: string): boolean {
  // Stryker disable next-line ConditionalExpression: spares the most common type the expressions
  if (type === 'application/json') return true;
  const name = readMediaType(type)?.name;
  return name !== undefined && (name === 'application/json' || /\/.+\+json$/.test(name));
}
