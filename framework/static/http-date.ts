// Static files: the dates of conditional requests (RFC 9110, section 5.6.7).

const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Parses an HTTP date to whole seconds since 1970; undefined if it is malformed, and then ignored. */
export function readHttpDate(text: string): number | undefined {
  let ms = Number.NaN;
  if (IMF.test(text) || RFC_850.test(text)) ms = Date.parse(text);
  else if (ASCTIME.test(text)) ms = Date.parse(`${text} GMT`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** @param seconds Whole seconds since 1970. */
export function formatHttpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
