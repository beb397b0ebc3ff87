// Streaming: decodes the id that a reconnecting client sends to what was given to `SseEvent.id`.

const ASCII = /^[\x20-\x7e]*$/;

/** Clients send the id as UTF-8 (WHATWG HTML, section 9.2.3), but servers read header fields as Latin-1. */
export function decodeEventId(value: string | undefined): string | undefined {
  // Stryker disable next-line ConditionalExpression: decoding ASCII gives the same text; this is only faster
  if (value === undefined || ASCII.test(value)) return value;
  const bytes = Uint8Array.from(value, (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
