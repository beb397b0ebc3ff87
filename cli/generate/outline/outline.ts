// The outline of a source file: its text without the bodies of functions whose return types are written out. Files
// with the same outline have the same types outside of these bodies, whatever compiler reads them.
import { mattersToInference } from '../../../framework/client-gen/registering-files.js';
import { effectsOf } from './body-effects.js';
import { type Tokens, tokensOf } from './tokens.js';
import { bodyAfterType } from './written-type.js';

export interface Outline {
  readonly text: string;
  /** The bodies that are left out, in order: offsets in the file. */
  readonly bodies: readonly (readonly [start: number, end: number])[];
}

/** Marks a body that is left out. */
const MARK = '\0';

/**
 * Undefined for code that cannot be read without a compiler.
 *
 * @param withRoutes whether routes are inferred
 */
export function outlineOf(text: string, withRoutes: boolean): Outline | undefined {
  if (text.includes(MARK)) return undefined;
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const bodies: [number, number][] = [];
  let outline = '';
  let at = 0;
  for (const [open, close] of bodiesOf(tokens)) {
    const start = tokens.list[open]?.start ?? 0;
    const end = tokens.list[close]?.end ?? 0;
    if (start < at || mattersToInference(text.slice(start, end), withRoutes)) continue;
    const effects = effectsOf(tokens, open, close);
    if (effects === undefined) continue;
    outline += `${text.slice(at, start)}${MARK}${effects}${MARK}`;
    bodies.push([start, end]);
    at = end;
  }
  return { text: outline + text.slice(at), bodies };
}

/** The bodies of functions whose return types are written out, outer ones first: indexes of their braces. */
function* bodiesOf(tokens: Tokens): Generator<readonly [open: number, close: number]> {
  const { list, closing } = tokens;
  /** For each bracket that is open, the colons that belong to `?` and `case`. */
  const levels = [{ conditions: 0, cases: 0 }];
  for (const [at, { kind, text }] of list.entries()) {
    const level = levels.at(-1);
    if (level === undefined) return;
    if (kind === 'name' && text === 'case') level.cases += 1;
    if (kind !== 'sign') continue;
    if (text === '?') level.conditions += 1;
    else if (text === ',' || text === ';') level.conditions = 0;
    else if (text === '{' || text === '(' || text === '[' || text === '${')
      levels.push({ conditions: 0, cases: 0 });
    else if (text === '}' || text === ')' || text === ']') levels.pop();
    else if (text !== ':') continue;
    else if (level.conditions > 0) level.conditions -= 1;
    else if (level.cases > 0) level.cases -= 1;
    else if (list[at - 1]?.text === ')' && list[at - 1]?.kind === 'sign') {
      const open = bodyAfterType(tokens, at + 1);
      const close = open === undefined ? undefined : closing.get(open);
      if (open !== undefined && close !== undefined) yield [open, close];
    }
  }
}
