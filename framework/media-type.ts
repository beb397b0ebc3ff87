// Media types: whether the one that a client sent is JSON, and how a message shows it.

const LONGEST_SHOWN = 100;

/** The type in part, so that an answer does not grow with the header field. */
export function shownType(type: string): string {
  return type.length > LONGEST_SHOWN ? `${type.slice(0, LONGEST_SHOWN)}…` : type;
}

/**
 * `application/json` or a `+json` type with well-formed parameters (RFC 9110, section 8.3.1), and nothing
 * that other readers could take for another type, such as two types in one field.
 */
const JSON_TYPE =
  /^(?:application\/json|[\w!#$%&'*+.^`|~-]+\/[\w!#$&^.+-]+\+json)[ \t]*(?:;[ \t]*(?:[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")[ \t]*)?)*$/i;

export function isJsonType(type: string): boolean {
  return JSON_TYPE.test(type);
}
