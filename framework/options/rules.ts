// Options: what values can be asked to be.
import type { OptionErrorCode } from '../config-error.js';

/** What the value of an option must be. */
export interface Rule {
  /** As messages say it after 'give', such as `a whole number, 1 or more`. */
  readonly takes: string;
  /** What is wrong with a value; undefined if nothing is. */
  fault(value: unknown): Fault | undefined;
  readonly isRequired?: true;
  /** Of an option that closes something: leaving it out is a decision, and a variable that is not set is none. */
  readonly isDeliberate?: true;
  /** Of a value that messages must not show. */
  readonly isSecret?: true;
  /** Of an option that has another name now, which is given here. */
  readonly renamedTo?: string;
}

/** What is wrong with a value. */
export interface Fault {
  readonly code: OptionErrorCode;
  /** Where the wrong value is in the option's, such as `[0]`; undefined if it is the option's. */
  readonly at?: string;
  readonly value?: unknown;
  /** Instead of what the rule says. */
  readonly takes?: string;
}

/** A rule for every option of a part. */
export type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

const TYPE: Fault = { code: 'FW_OPTION_TYPE' };

/** RFC 9110, section 5.6.2: what names of header fields, methods and sub-protocols consist of. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Any value: for what the part checks itself. */
export const anything: Rule = { takes: 'a value', fault: () => undefined };

/** An option under its old name: its value is taken as that of the new one, with a warning. */
export function renamedTo(name: string): Rule {
  return { ...anything, renamedTo: name };
}

export const flag: Rule = typed('boolean', 'true or false');

/** A text, which may be empty. */
export const text: Rule = typed('string', 'a text');

/** A text of at least one character. */
export const filled: Rule = matching(/./s, 'a text that is not empty');

/** The name of a header field that an app may set (RFC 9110, section 5.1; RFC 9112, section 6.1). */
export const headerName: Rule = matching(
  /^(?!(?:transfer-encoding|trailer)$)[!#$%&'*+\-.^_`|~0-9a-z]+$/i,
  "the name of a header field, such as 'X-Api-Key'",
);

/** The value of a header field (RFC 9110, section 5.5). */
export const fieldValue: Rule = matching(/^[\t\x20-\x7e\x80-\xff]*$/, 'the value of a header field');

/** A token (RFC 9110, section 5.6.2). */
export const token: Rule = matching(TOKEN, "one name, without white space, ',' and ';'");

/**
 * An origin as browsers send it: scheme, host, and a port that is not the scheme's own (RFC 6454, section 6.2). Origins
 * are compared as text: one with a slash at its end would never match.
 */
export const origin: Rule = {
  takes: "an origin such as 'https://app.example'",
  fault(value) {
    if (typeof value !== 'string') return TYPE;
    if (value === 'null') return { code: 'FW_OPTION_FORM', takes: NO_OPAQUE_ORIGIN };
    const parsed = URL.canParse(value) ? new URL(value).origin : 'null';
    if (value.includes('*')) return { code: 'FW_OPTION_FORM', takes: WHOLE_ORIGIN };
    if (parsed === value && parsed !== 'null') return undefined;
    return { code: 'FW_OPTION_FORM', ...(parsed !== 'null' && { takes: `'${parsed}'` }) };
  },
};

/** HTML, section 7.1.1: pages of any site can have frames, files and redirects whose origin is opaque. */
const NO_OPAQUE_ORIGIN =
  "the origin of a page, such as 'https://app.example', as sandboxed frames of any site have 'null'";

const WHOLE_ORIGIN = "each origin without '*', such as 'https://app.example'";

/** The pattern of a route, which the router reads. */
export const pattern: Rule = { ...text, takes: "a path, such as '/users/:id'" };

/** A function. */
export function callback(takes: string): Rule {
  return typed('function', takes);
}

/** A text of a form. The expression must be linear. */
export function matching(form: RegExp, takes: string): Rule {
  return {
    takes,
    fault(value) {
      if (typeof value !== 'string') return TYPE;
      return form.test(value) ? undefined : { code: 'FW_OPTION_FORM' };
    },
  };
}

/** A whole number. */
export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER, unit = ''): Rule {
  const kind = `a whole number${unit && ` of ${unit}`}`;
  const takes =
    most === Number.MAX_SAFE_INTEGER ? `${kind}, ${least} or more` : `${kind} from ${least} to ${most}`;
  return within(takes, (value) => Number.isSafeInteger(value) && value >= least && value <= most);
}

/** A number within bounds. */
export function within(takes: string, isFine: (value: number) => boolean): Rule {
  return {
    takes,
    fault(value) {
      if (typeof value !== 'number') return TYPE;
      return isFine(value) ? undefined : { code: 'FW_OPTION_RANGE' };
    },
  };
}

/** The longest time of a timer; with a longer one, it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time of a timer. */
export function milliseconds(least: number): Rule {
  return whole(least, LONGEST_TIMER_MS, 'milliseconds');
}

/** For limits that can be lifted. */
export const unlimited: Rule = {
  takes: 'Infinity for no limit',
  fault: (value) => (value === Number.POSITIVE_INFINITY ? undefined : TYPE),
};

/** One of some values. */
export function oneOf(...values: readonly (string | number | boolean)[]): Rule {
  return {
    takes: values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' or '),
    fault(value) {
      if (values.includes(value as string)) return undefined;
      return values.some((one) => typeof one === typeof value) ? { code: 'FW_OPTION_CHOICE' } : TYPE;
    },
  };
}

/** A list, all entries of which follow the rule. */
export function listOf(rule: Rule, fewest: 0 | 1 = 0): Rule {
  return {
    takes: `a list of ${fewest === 0 ? '' : 'at least one: '}${rule.takes}`,
    fault(value) {
      if (!Array.isArray(value)) return TYPE;
      if (value.length < fewest) return { code: 'FW_OPTION_EMPTY' };
      for (const [index, one] of value.entries()) {
        const fault = faultOf(one, rule);
        if (fault === undefined) continue;
        return { value: one, takes: rule.takes, ...fault, at: `[${index}]${fault.at ?? ''}` };
      }
      return undefined;
    },
  };
}

/** What one of the rules takes. */
export function either(...rules: readonly Rule[]): Rule {
  return {
    takes: rules.map(({ takes }) => takes).join(', or '),
    fault(value) {
      const faults = rules.map((rule) => faultOf(value, rule));
      if (faults.includes(undefined)) return undefined;
      return faults.find((one) => one?.code !== TYPE.code || one.at !== undefined) ?? TYPE;
    },
  };
}

/** An object with methods, such as a store. */
export function objectWith(methods: readonly string[], takes: string): Rule {
  return {
    takes,
    fault: (value) =>
      isObject(value) && methods.every((name) => typeof (value as never)[name] === 'function')
        ? undefined
        : TYPE,
  };
}

/** An object or function that somebody else made, which is not looked into. */
export function object(takes: string): Rule {
  return objectWith([], takes);
}

/** An object of a literal, whose names the application chooses. */
export function record(takes: string): Rule {
  return { takes, fault: (value) => (isPlain(value) ? undefined : TYPE) };
}

/** An option that must be given. */
export function required(rule: Rule): Rule {
  return { ...rule, isRequired: true };
}

/** An option that closes something: undefined is refused, unless it is left out. */
export function deliberate(rule: Rule): Rule {
  return { ...rule, isDeliberate: true };
}

/** An option whose value messages do not show. */
export function secret(rule: Rule): Rule {
  return { ...rule, isSecret: true };
}

function typed(type: string, takes: string): Rule {
  return { takes, fault: (value) => (typeof value === type ? undefined : TYPE) };
}

/** What is wrong with a value, whose own code, such as the traps of a Proxy, may throw anything. */
export function faultOf(value: unknown, rule: Rule): Fault | undefined {
  try {
    return rule.fault(value);
  } catch {
    return TYPE;
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether it is an object of a literal, of any realm. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
