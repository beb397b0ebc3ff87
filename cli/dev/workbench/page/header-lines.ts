// The page about the app: header fields as lines of text, which can be edited.
import type { HeaderField } from '../protocol.js';

export function headerText(fields: readonly HeaderField[]): string {
  return fields.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** RFC 9110, section 5.1: a name is a token. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The fields, or what is wrong with the first line that is not one. */
export function readHeaderText(
  text: string,
): { readonly fields: HeaderField[] } | { readonly problem: string } {
  const fields: HeaderField[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[ \t\r]*$/.test(line)) continue;
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (colon === -1) return { problem: `line ${index + 1} has no colon: write 'Name: value'` };
    if (!token.test(name))
      return { problem: `line ${index + 1}: '${name}' is not the name of a header field` };
    fields.push([name, unpadded(line.slice(colon + 1))]);
  }
  return { fields };
}

/** RFC 9110, section 5.5: SP and HTAB around a value do not belong to it. */
function unpadded(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && ' \t\r'.includes(value[start] as string)) start += 1;
  while (end > start && ' \t\r'.includes(value[end - 1] as string)) end -= 1;
  return value.slice(start, end);
}
