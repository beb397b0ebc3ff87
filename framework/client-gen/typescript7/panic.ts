// Inference: types for which the API of TypeScript 7.0 fails, such as `[] as const`: it responds with a panic, and
// continues to work.
import type { ChildProcess } from 'node:child_process';
import type { Checker, Symbol as TsSymbol, Type } from 'typescript/unstable/sync';

/** `any` for a type that cannot be queried; a warning is given if that type is used. */
export function typeOrAny<Answer>(checker: Checker, ask: () => Answer): Answer | Type {
  try {
    return ask();
  } catch (error) {
    if (!isPanic(error)) throw error;
    return checker.getAnyType();
  }
}

/** One query for all; if it fails, one query for each. */
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

/** Kills the compiler's process: after a request to stop, it would print `context canceled` to the terminal. */
export function killProcess(compiler: object): void {
  const { client } = compiler as { client?: { channel?: { child?: ChildProcess } } };
  client?.channel?.child?.kill('SIGKILL');
}
