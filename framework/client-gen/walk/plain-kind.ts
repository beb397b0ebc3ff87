// Inference: types that the compiler knows by one flag, alike in all its versions.

type PlainKind = 'unknown' | 'never' | 'null' | 'undefined' | 'bigint' | 'symbol' | 'boolean';

/** The flags of types; each version of TypeScript numbers them in its own way. */
export interface PlainFlags {
  readonly Unknown: number;
  readonly Never: number;
  readonly Null: number;
  readonly Undefined: number;
  readonly Void: number;
  readonly BigIntLike: number;
  readonly ESSymbolLike: number;
  readonly Boolean: number;
}

/** Undefined for a type that has parts or a value. */
export function plainKind(flags: number, known: PlainFlags): PlainKind | undefined {
  if (flags & known.Unknown) return 'unknown';
  if (flags & known.Never) return 'never';
  if (flags & known.Null) return 'null';
  if (flags & (known.Undefined | known.Void)) return 'undefined';
  if (flags & known.BigIntLike) return 'bigint';
  if (flags & known.ESSymbolLike) return 'symbol';
  return flags & known.Boolean ? 'boolean' : undefined;
}
