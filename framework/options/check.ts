// Options of all parts: only names that are known, and values of their kinds. A part checks them when it is made.
import { ConfigError } from '../config-error.js';
import { isSchema } from './is-schema.js';
import { nearest } from './nearest.js';
import { ownKind } from './own-objects.js';
import { faultOf, isPlain, type Rule, type Rules } from './rules.js';
import { kindOf, shown } from './shown.js';

/**
 * A copy of the options of a part.
 *
 * @param who the part in messages, such as `cors`.
 * @throws ConfigError if they are not a plain object, a name is unknown, or a value is missing or not of its kind.
 */
export function checkOptions<Options extends object>(
  who: string,
  options: Options | undefined,
  rules: Rules<Options>,
): Options {
  const given = copyOf(who, options, rules);
  const named: Readonly<Record<string, Rule>> = rules;
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(named, name)) throw unknownName(who, 'option', name, currentNames(named));
    if (named[name]?.isDeliberate && given[name] === undefined) {
      throw new ConfigError(
        'FW_OPTION_MISSING',
        `${who}: ${name} is undefined, as of a variable that is not set; give ${named[name].takes}, or leave it out`,
      );
    }
    const now = named[name]?.renamedTo;
    if (now !== undefined) moveRenamed(who, given, name, now, named[now]);
  }
  for (const [name, rule] of Object.entries(named)) {
    const value = given[name];
    if (value !== undefined || rule.isRequired) checkValue(who, name, value, rule);
  }
  return given as Options;
}

/**
 * One value, of an option or of an argument.
 *
 * @param name its name in messages, such as `maxAge`.
 * @throws ConfigError if it is missing or not of its kind.
 */
export function checkValue<Value>(who: string, name: string, value: Value, rule: Rule): Value {
  const fault = faultOf(value, rule);
  if (fault === undefined) return value;
  const isEntry = fault.at !== undefined;
  const takes = fault.takes ?? rule.takes;
  if (!isEntry && value === undefined) {
    throw new ConfigError('FW_OPTION_MISSING', `${who}: ${name} is missing; give ${takes}`);
  }
  const wrong = isEntry ? fault.value : value;
  const given = rule.isSecret ? kindOf(wrong) : shown(wrong);
  throw new ConfigError(
    fault.code,
    `${who}: ${name}${fault.at ?? ''} is ${given}; give ${takes}${uncalled(who, wrong)}`,
  );
}

/** The error for a name that a part does not have, which names the one that was meant. */
export function unknownName(who: string, what: string, name: string, known: readonly string[]): ConfigError {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `did you mean '${meant}'? `;
  const all =
    known.length === 0 ? 'there are none' : `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
  return new ConfigError('FW_OPTION_UNKNOWN', `${who} has no ${what} ${shown(name)}; ${hint}${all}`);
}

function currentNames(rules: Readonly<Record<string, Rule>>): string[] {
  return Object.entries(rules).flatMap(([name, { renamedTo }]) => (renamedTo === undefined ? [name] : []));
}

function moveRenamed(
  who: string,
  given: Record<string, unknown>,
  name: string,
  now: string,
  rule?: Rule,
): void {
  if (given[name] !== undefined) {
    if (given[now] !== undefined) {
      const both = `${who}: '${name}' and '${now}' are the same option; give '${now}' alone`;
      throw new ConfigError('FW_OPTION_UNKNOWN', both);
    }
    given[now] = rule === undefined ? given[name] : checkValue(who, name, given[name], rule);
    warnDeprecated(`the option '${name}' of ${who}`, `'${now}'`);
  }
  delete given[name];
}

/**
 * For what others have more arguments for: JavaScript leaves out in silence what is too much.
 *
 * @param more the arguments behind those that there are
 * @param remedy what to write instead, such as `call it once for each`
 * @throws ConfigError if there is one
 */
export function refuseMore(who: string, more: readonly unknown[], remedy: string): void {
  if (more.length > 0)
    throw new ConfigError(
      'FW_ARGUMENTS',
      `${who} was given too many arguments; ${remedy}${uncalled(who, more[0])}`,
    );
}

/** What to write where `use(cors)` has given the function itself, which then gets a context instead of options. */
function uncalled(who: string, value: unknown): string {
  const isCalledByRequest = typeof value === 'object' && value !== null && ownKind(value) === 'the context';
  return isCalledByRequest ? `; call it where you give it to use, as in use(${who}(…)), not use(${who})` : '';
}

const warned = new Set<string>();

/** Warns once that something has another name now. @param what with its part, such as `the option 'x' of cors` */
export function warnDeprecated(what: string, now: string): void {
  if (warned.has(what)) return;
  warned.add(what);
  const warning = `${what} is deprecated; use ${now}`;
  // Workers may have no process.
  globalThis.process?.emitWarning?.(warning, { type: 'DeprecationWarning', code: 'FW_DEPRECATED' });
}

function copyOf(who: string, options: unknown, rules: object): Record<string, unknown> {
  if (options === undefined) return {};
  let isGivenSchema = false;
  try {
    // Functions of other libraries take a schema there. Those of valibot are plain objects.
    isGivenSchema = isSchema(options);
    if (!isGivenSchema && isPlain(options)) return { ...options };
  } catch {
    // Traps of a Proxy and getters throw whatever they like.
  }
  if (isGivenSchema) {
    const written = ['input', 'returns'].find((name) => Object.hasOwn(rules, name));
    const remedy = written === undefined ? '' : `; write { ${written}: schema }`;
    throw new ConfigError('FW_OPTION_TYPE', `${who} takes an object of options, got a schema${remedy}`);
  }
  throw new ConfigError(
    'FW_OPTION_TYPE',
    `${who} takes an object of options, got ${kindOf(options)}${uncalled(who, options)}`,
  );
}

/**
 * Adds members that only throw. They are not in the types, so that the compiler refuses them too.
 *
 * @param names how each is written here, such as `{ Global: 'RateLimitKey.global' }`.
 */
export function addRenamed(owner: object, who: string, names: Readonly<Record<string, string>>): void {
  for (const [name, here] of Object.entries(names)) {
    Object.defineProperty(owner, name, {
      get(): never {
        throw new ConfigError('FW_OPTION_UNKNOWN', `there is no ${who}.${name}; write ${here}`);
      },
    });
  }
}
