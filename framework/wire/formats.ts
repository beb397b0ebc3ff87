// Types: the formats of JSON Schema that are validated. None of the expressions backtracks over the string.

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
// RFC 3986, appendix A, checked by characters only: a scheme, then characters that are allowed in a URI.
const URI = /^[a-z][a-z\d+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})+$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** RFC 3339, section 5.6: full-date. */
function isDate(text: string): boolean {
  const found = DATE.exec(text);
  const [year, month, day] = [Number(found?.[1]), Number(found?.[2]) - 1, Number(found?.[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  // A day that the month does not have becomes a day of another month.
  return date.getUTCMonth() === month;
}

/** RFC 3339, section 5.6: date-time. */
function isDateTime(text: string): boolean {
  const separator = text[10];
  if (separator !== 'T' && separator !== 't' && separator !== ' ') return false;
  return isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}

/** Formats that are not listed here are documented but not validated. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': isDateTime,
  time: (text) => TIME.test(text),
  email: (text) => text.length <= 320 && EMAIL.test(text),
  uuid: (text) => UUID.test(text),
  uri: (text) => URI.test(text) && URL.canParse(text),
  ipv4: (text) => IPV4.test(text),
};
