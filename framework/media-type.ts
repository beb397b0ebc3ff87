// Media types: how a message shows the one that a client sent.

const LONGEST_SHOWN = 100;

/** The type in part, so that an answer does not grow with the header field. */
export function shownType(type: string): string {
  return type.length > LONGEST_SHOWN ? `${type.slice(0, LONGEST_SHOWN)}…` : type;
}
