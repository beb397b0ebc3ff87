// Finds out whether an app only gives its contract to the registry, so that another contract changes no type.
import { basename } from 'node:path';
import { type Token, tokensOf } from './outline/tokens.js';

/** False if code that imports a contract may use it for something else than `useContract(contract)`. */
export function isOnlyGiven(contract: string, code: string): boolean {
  const list = tokensOf(code)?.list ?? [];
  const isNamed = ({ kind, text }: Token) =>
    kind === 'text' && text.slice(1, -1).endsWith(basename(contract));
  const at = list.findIndex(isNamed);
  if (at < 0 || list.filter(isNamed).length > 1) return false;
  const name = list[at - 2];
  if (name?.kind !== 'name' || list[at - 1]?.text !== 'from' || list[at - 3]?.text !== 'import') return false;
  return list.every(({ kind, text }, index) => {
    if (kind !== 'name' || text !== name.text || index === at - 2) return true;
    const before = list.slice(Math.max(index - 2, 0), index).map((one) => one.text);
    return before.join(' ') === 'useContract (' && list[index + 1]?.text === ')';
  });
}
