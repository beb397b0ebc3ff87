// A request that the page sends again: what it shows as masked is replaced by what was stored.
import type { RawBody, RawField } from '../../process/records.js';
import { maskField, maskForm, maskQuery, replaceSecrets } from './masking.js';
import type { HeaderField } from './protocol.js';
import { Refusal } from './refusals.js';
import { masked, type Secrets, unsaid } from './secrets.js';
import { fieldOf, shownBody } from './shown-body.js';

const encodedMask = encodeURIComponent(masked);

/** @throws Refusal for a masked value that was not stored */
export function unmaskFields(
  given: readonly HeaderField[],
  stored: readonly RawField[],
  secrets: Secrets = unsaid,
): RawField[] {
  return given.map(([name, value]) => {
    if (!value.includes(masked)) return [name, value];
    const found = stored.find(
      ([one, its]) => one.toLowerCase() === name.toLowerCase() && maskField(one, its, secrets) === value,
    );
    if (found === undefined) throw unknownMask(`the header field ${name}`);
    return [name, found[1]];
  });
}

export function unmaskTarget(given: string, stored: string, secrets: Secrets = unsaid): string {
  if (!hasMask(given)) return given;
  const own = queryOf(stored);
  return `${given.slice(0, given.indexOf('?') + 1)}${unmaskForm(queryOf(given), own, maskQuery(own, stored.split('?', 1)[0] ?? '', secrets))}`;
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}

/** The bytes to send. @param given undefined for the stored body */
export function unmaskBody(
  given: string | undefined,
  stored: RawBody | undefined,
  fields: readonly RawField[],
  secrets: Secrets = unsaid,
): Buffer {
  const bytes = stored && Buffer.from(stored.data, 'base64');
  const isCut = stored !== undefined && bytes !== undefined && stored.size > bytes.length;
  if (given === undefined) {
    if (!isCut) return bytes ?? Buffer.alloc(0);
    throw new Refusal(400, 'BadRequest', 'the body was too long to be kept; write the one to send');
  }
  if (!given.includes(masked) && !given.includes(encodedMask)) return Buffer.from(given);
  if (stored === undefined || bytes === undefined) throw unknownMask('the body');
  if (!isCut && shownBody(stored, fields, secrets).text === given) return bytes;
  const text = bytes.toString();
  if (/^application\/x-www-form-urlencoded/i.test(fieldOf(fields, 'content-type'))) {
    return Buffer.from(unmaskForm(given, text, maskForm(text, secrets)));
  }
  return Buffer.from(unmaskJson(given, text, secrets));
}

/** Each masked pair is that which is shown as it is. */
function unmaskForm(given: string, stored: string, shown: string): string {
  const secrets = stored.split('&');
  const pairs = shown.split('&');
  return given
    .split('&')
    .map((pair) => {
      if (!hasMask(pair)) return pair;
      const plain = pair.replaceAll(encodedMask, masked);
      const index = pairs.indexOf(plain);
      const secret = secrets[index];
      if (secret === undefined) throw unknownMask(`'${plain.slice(0, 100)}'`);
      // The next pair that is shown in the same way is another one.
      pairs[index] = '';
      return secret;
    })
    .join('&');
}

/** The secrets in the order in which they were stored: names may move, but none may be missing. */
function unmaskJson(given: string, stored: string, kept: Secrets): string {
  const secrets: string[] = [];
  replaceSecrets(stored, kept, (value) => {
    secrets.push(value);
    return value;
  });
  let count = 0;
  replaceSecrets(given, kept, (value) => {
    count += 1;
    return value;
  });
  if (count !== secrets.length) throw unknownMask('the body');
  const text = replaceSecrets(given, kept, (value, index) =>
    value === JSON.stringify(masked) ? (secrets[index] ?? value) : value,
  );
  if (text.includes(masked)) throw unknownMask('the body');
  return text;
}

function hasMask(text: string): boolean {
  return text.includes(masked) || text.includes(encodedMask);
}

function unknownMask(where: string): Refusal {
  return new Refusal(
    400,
    'BadRequest',
    `${where} has a masked value that is not known; write the value to send`,
  );
}
