// Protocol text: the white space of header fields, which is SP and HTAB alone (RFC 9110, section 5.6.3).

const HTAB = 9;
const SP = 32;

/**
 * The text without the white space around it. `trim()` would take more: header fields are read as Latin-1, and
 * an octet A0 is a character of the value there, not a space.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  // Stryker disable next-line ConditionalExpression,EqualityOperator: past the end the code is NaN, which is no blank
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  // Stryker disable next-line ConditionalExpression,EqualityOperator: of blanks alone nothing is left either way
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  // Stryker disable next-line ConditionalExpression: a slice of everything is the same text
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === SP || code === HTAB;
}
