// Protocol text: lists in header fields, and the weights of their members (RFC 9110, sections 5.6.1 and 12.4.2).
import { trimBlanks } from './white-space.js';

/** The members of a comma-separated list, trimmed; empty members are left out. */
export function listMembers(field: string): string[] {
  return splitOutsideQuotes(field, ',')
    .map(trimBlanks)
    .filter((member) => member !== '');
}

/** Whether the list contains the token, which must be in lower case; the comparison ignores case. */
export function listsToken(field: string | undefined, token: string): boolean {
  if (field === undefined) return false;
  return listMembers(field).some((member) => member.toLowerCase() === token);
}

/**
 * The weight of every member of a list such as `Accept`, by its lower-case name without parameters: 1 if there is
 * no weight, 0 if it is malformed. If a name occurs several times, the first counts.
 */
export function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const member of splitOutsideQuotes(field, ',')) {
    const semicolon = member.indexOf(';');
    const name = trimBlanks(semicolon === -1 ? member : member.slice(0, semicolon)).toLowerCase();
    if (name === '' || weights.has(name)) continue;
    // Stryker disable next-line ArithmeticOperator: the last character of a name is not a weight
    weights.set(name, semicolon === -1 ? 1 : readWeight(member.slice(semicolon + 1)));
  }
  return weights;
}

// RFC 9110, section 12.4.2: at most three digits after the decimal point.
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

function readWeight(parameters: string): number {
  for (const parameter of splitOutsideQuotes(parameters, ';')) {
    const equals = parameter.indexOf('=');
    if (equals === -1 || trimBlanks(parameter.slice(0, equals)).toLowerCase() !== 'q') continue;
    const weight = trimBlanks(parameter.slice(equals + 1));
    return WEIGHT.test(weight) ? Number(weight) : 0;
  }
  return 1;
}

/** Splits at the separators that are not inside a quoted string (RFC 9110, section 5.6.4). */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  // Stryker disable next-line ConditionalExpression: only a faster path for text without quotes
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  // Stryker disable next-line EqualityOperator: there is no character after the end
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) index += 1;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
