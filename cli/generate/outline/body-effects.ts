// What a function's body does to the types outside of it although its return type is written out.
import type { Token, Tokens } from './tokens.js';

const ASSIGNING = /^(?:=|[-+*/%&|^]=|\*\*=|&&=|\|\|=|\?\?=|<<=|>>>?=)$/;

/**
 * A text that is the same for bodies with the same effects: the variables that it assigns, which are not narrowed in
 * other functions any more, and whether it uses `this`, which has a part in the inference from an argument. Undefined
 * if the whole body matters.
 */
export function effectsOf({ list, opening }: Tokens, from: number, to: number): string | undefined {
  const assigned = new Set<string>();
  let usesThis = false;
  let depth = 0;
  /** The depth of a declaration whose `=` is still to come. */
  let declared: number | undefined;
  const isProperty = (index: number): boolean => /^\??\.$/.test(list[index - 1]?.text ?? '');
  /** False if it is unclear what is assigned. */
  const assign = (index: number): boolean => {
    const target = list[index];
    if (target?.kind === 'name') {
      if (!isProperty(index)) assigned.add(target.text);
      return true;
    }
    return target?.text === ']' && endsValue(list[(opening.get(index) ?? 0) - 1]);
  };
  for (let at = from + 1; at < to; at += 1) {
    const { kind, text } = list[at] as Token;
    if (kind === 'name' && !isProperty(at)) {
      if (text === 'import' || text === 'require') return undefined;
      if (text === 'this') usesThis = true;
      if (text === 'const' || text === 'let' || text === 'var' || text === 'using') declared = depth;
      else if (text === 'of' || text === 'in') {
        if (declared === undefined && isLoop(list, opening, at) && !assign(at - 1)) return undefined;
        declared = undefined;
      }
    } else if (kind === 'sign') {
      if (text === '{' || text === '(' || text === '[' || text === '${') depth += 1;
      else if (text === '}' || text === ')' || text === ']') depth -= 1;
      else if (text === ';') declared = undefined;
      else if (text === '=' && declared === depth) declared = undefined;
      else if (ASSIGNING.test(text)) {
        if (!assign(at - 1)) return undefined;
      } else if (text === '++' || text === '--') {
        const isAfter = endsValue(list[at - 1]) && assign(at - 1);
        const next = list[at + 1];
        if (next?.kind === 'name') assigned.add(next.text);
        else if (!isAfter) return undefined;
      }
    }
  }
  return `${usesThis ? 'this ' : ''}${[...assigned].sort().join(' ')}`;
}

function endsValue(token: Token | undefined): boolean {
  return token?.kind === 'name' || token?.text === ')' || token?.text === ']' || token?.text === '!';
}

/** Whether `of` or `in` is that of `for (target of …)`. */
function isLoop(list: readonly Token[], openings: ReadonlyMap<number, number>, at: number): boolean {
  const start = openings.get(at - 1) ?? at - 1;
  if (list[start - 1]?.text !== '(') return list[at]?.text === 'of';
  return /^(?:for|await)$/.test(list[start - 2]?.text ?? '');
}
