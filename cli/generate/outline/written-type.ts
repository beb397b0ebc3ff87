// Finds the body of a function whose return type is written out.
import type { Tokens } from './tokens.js';

const PREFIXES = new Set(['keyof', 'readonly', 'unique', 'typeof', 'asserts', '|', '&', '-']);
const BETWEEN = new Set(['|', '&', 'is', '.']);

/**
 * The index of the brace that begins the body; undefined if there is no such body, or the type is unusual.
 *
 * @param from the index after the colon of the return type
 */
export function bodyAfterType(tokens: Tokens, from: number): number | undefined {
  const end = typeEnd(tokens, from);
  if (end === undefined) return undefined;
  const text = (index: number): string | undefined => tokens.list[index]?.text;
  const body = text(end) === '=>' ? end + 1 : end;
  return text(body) === '{' ? body : undefined;
}

/** The index of the first token after a type. */
function typeEnd({ list, closing }: Tokens, from: number): number | undefined {
  for (let at = from; ; at += 1) {
    while (PREFIXES.has(list[at]?.text ?? '')) at += 1;
    const operand = list[at];
    if (operand === undefined) return undefined;
    if (operand.kind === 'sign') {
      const close = '([{'.includes(operand.text) ? closing.get(at) : undefined;
      if (close === undefined) return undefined;
      // A type of a function, or the parameters of a function that is no type.
      if (operand.text === '(' && list[close + 1]?.text === '=>') return undefined;
      at = close;
    } else if (['new', 'import', 'infer', 'abstract', 'function', 'class'].includes(operand.text)) {
      return undefined;
    }
    at += 1;
    while (list[at]?.text === '[' || list[at]?.text === '<') {
      const close = list[at]?.text === '[' ? closing.get(at) : angleEnd({ list, closing }, at);
      if (close === undefined) return undefined;
      at = close + 1;
    }
    if (!BETWEEN.has(list[at]?.text ?? '')) return at;
  }
}

/** The index of the `>` for a `<`. */
function angleEnd({ list, closing }: Pick<Tokens, 'list' | 'closing'>, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < list.length; at += 1) {
    const text = list[at]?.text ?? '';
    if (list[at]?.kind !== 'sign') continue;
    if ('([{'.includes(text)) at = closing.get(at) ?? list.length;
    else if (/[)\]};]/.test(text)) return undefined;
    else if (text === '<') depth += 1;
    else if (text === '>') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
