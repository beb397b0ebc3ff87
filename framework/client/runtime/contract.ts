// The client: the types that it was generated for, which a server compares with its own.

/** The types that a client was generated for. */
export interface FwRpcContract {
  readonly hash: string;
  readonly procedures: Readonly<
    Record<
      string,
      readonly [
        kind: string,
        input: string,
        output: string,
        names: readonly string[],
        errors?: Readonly<Record<string, string>>,
      ]
    >
  >;
  readonly types: Readonly<Record<string, string>>;
  /** The header field for calls of these procedures. */
  field(names: readonly string[]): Record<string, string>;
}

/** Servers limit the size of all header fields together, many to 8 KB. */
const LONGEST_FIELD = 4096;

/**
 * The method `field` of contracts: the types of the called procedures; if that is too long for a header field, the hash
 * of all types. Clients that send no contract do without it.
 */
export function contractField(this: FwRpcContract, names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const procedures: Record<string, readonly unknown[]> = {};
  const types: Record<string, string | undefined> = {};
  for (const name of names) {
    const found = this.procedures[name];
    if (found === undefined) continue;
    const [kind, input, output, used, ...errors] = found;
    procedures[name] = [kind, input, output, ...errors];
    for (const type of used) types[type] = this.types[type];
  }
  const text = JSON.stringify({ procedures, types }).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { 'X-Fw-Contract': text.length > LONGEST_FIELD ? this.hash : text };
}
