// Types: the validation of inputs at run time: each wire type is compiled once, to closures, and to code if it is used
// often.

import type { NamedTypes, WireType } from '../wire-type.js';
import { type CheckResult, compileClosures } from './check-closures.js';
import { INVALID } from './check-walk.js';
import { compileCoercion } from './coerce-query.js';
import { type GeneratedCheck, generateCheck } from './generated-check.js';

export type { CheckIssue, CheckResult } from './check-closures.js';
export { queryProblem } from './query-problem.js';

/** The number of calls after which code is generated for a check; most procedures of an app are called rarely. */
const CALLS_BEFORE_CODE = 100;

export interface CheckOptions {
  /** True for the fields of a query string: strings, and arrays of them, are converted to what the type requires. */
  readonly coerce?: boolean;
}

/**
 * Returns a check. The check returns a copy of the value without the keys that the type does not have, or at most 20
 * issues. Values of type `unknown` are not copied.
 *
 * @throws Error if a name is not in `named`, or a `pattern` is not a regular expression.
 */
export function compileCheck(
  type: WireType,
  named: NamedTypes,
  options: CheckOptions = {},
): (value: unknown) => CheckResult {
  const check = compileClosures(type, named);
  const coerce = options.coerce ? compileCoercion(type, named) : undefined;
  let untilGenerated = CALLS_BEFORE_CODE;
  let generated: GeneratedCheck | undefined;
  return (value) => {
    const given = coerce ? coerce(value) : value;
    if (generated !== undefined) {
      const accepted = generated(given);
      if (accepted !== INVALID) return { value: accepted };
    } else if (untilGenerated > 0) {
      untilGenerated--;
      if (untilGenerated === 0) generated = generateCheck(type, named);
    }
    return check(given);
  };
}
