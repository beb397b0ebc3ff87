// Inference: types that TypeScript 7.0 fails to tell over its API, such as `[] as const`: it answers with a panic, and
// works on.
import type { Checker, Symbol as TsSymbol, Type } from 'typescript/unstable/sync';

/** `any` for a type that cannot be told, which is warned of where it is used. */
export function typeOrAny<Answer>(checker: Checker, ask: () => Answer): Answer | Type {
  try {
    return ask();
  } catch (error) {
    if (!isPanic(error)) throw error;
    return checker.getAnyType();
  }
}

/** One question for all; one for each where one of them fails. */
export function typesOfSymbols(
  checker: Checker,
  symbols: readonly TsSymbol[],
): readonly (Type | undefined)[] {
  if (symbols.length === 0) return [];
  try {
    return checker.getTypeOfSymbol(symbols);
  } catch (error) {
    if (!isPanic(error)) throw error;
    return symbols.map((symbol) => typeOrAny(checker, () => checker.getTypeOfSymbol(symbol)));
  }
}

function isPanic(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('panic: ');
}
