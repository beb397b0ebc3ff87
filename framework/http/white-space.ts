// Protocol text: the white space of header fields, which is only SP and HTAB (RFC 9110, section 5.6.3).

const HTAB = 9;
const SP = 32;

/**
 * The text without leading and trailing SP and HTAB. `trim()` would remove more: header fields are read as
 * Latin-1, in which the octet A0 belongs to the value.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  // Stryker disable next-line ConditionalExpression,EqualityOperator: after the end the code is NaN, which is not a blank
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  // Stryker disable next-line ConditionalExpression,EqualityOperator: nothing is left of a text of blanks either way
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  // Stryker disable next-line ConditionalExpression: a slice of the whole text is the same text
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === SP || code === HTAB;
}
