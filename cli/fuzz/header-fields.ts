// Header fields as they are given to `fw fuzz`, in the form of curl: `Name: value`.
import { trimBlanks } from '../../framework/http/white-space.js';
import { faultOf, fieldValue, headerName } from '../../framework/options/rules.js';
import { UsageError } from '../terminal/errors.js';

/** They are those of each request by itself, or of its connection. */
const OF_REQUESTS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The fields by their names in lower case. Values of a name that is given twice become one, as HTTP combines them.
 * @throws UsageError for what is not a header field; values may be secret, and are not in its message
 */
export function headerFields(flag: string, lines: readonly string[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [name, value] = headerField(flag, line);
    const before = fields.get(name);
    const separator = name === 'cookie' ? '; ' : ', ';
    fields.set(name, before === undefined ? value : before + separator + value);
  }
  return Object.fromEntries(fields);
}

function headerField(flag: string, line: string): readonly [name: string, value: string] {
  const example = `for example: ${flag} 'Authorization: Bearer …'`;
  const colon = line.indexOf(':');
  if (colon === -1) {
    const form = `a header field is 'Name: value', ${example}`;
    throw new UsageError(`${flag} has no colon between a name and a value`, form);
  }
  const name = line.slice(0, colon);
  if (OF_REQUESTS.has(name.toLowerCase())) {
    throw new UsageError(`${flag} has '${name}', which belongs to each request by itself`, 'leave it out');
  }
  if (faultOf(name, headerName) !== undefined) {
    throw new UsageError(`${flag} begins with '${name}', which is not the name of a header field`, example);
  }
  const value = trimBlanks(line.slice(colon + 1));
  if (value === '') {
    throw new UsageError(`${flag} has '${name}' without a value`, 'is a variable of the shell empty?');
  }
  if (faultOf(value, fieldValue) !== undefined) {
    throw new UsageError(
      `${flag} has '${name}' with a character that header fields cannot have, such as a line break`,
      'is there a line break at the end of a variable or a file?',
    );
  }
  return [name.toLowerCase(), value];
}
