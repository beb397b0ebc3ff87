// Streaming: the id that a reconnecting client sends, as it was given to `SseEvent.id`.

const ASCII = /^[\x20-\x7e]*$/;

/** WHATWG HTML, section 9.2.3, sends the id as UTF-8; servers read header fields as Latin-1. */
export function decodeEventId(value: string): string {
  if (ASCII.test(value)) return value;
  const bytes = Uint8Array.from(value, (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
