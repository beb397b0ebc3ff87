// WebSocket: codes and reasons of close frames (RFC 6455, section 7.4).

/** RFC 6455, section 5.5: a control frame has at most 125 bytes, of which 2 are the code. */
const MOST_BYTES = 123;

/** Whether an endpoint may send the code: 1004 to 1006 and 1015 are reserved for what no frame says. */
export function isCloseCode(code: number): boolean {
  if (!Number.isInteger(code)) return false;
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
}

/** @throws Error if the reason is too long. */
export function checkReason(reason: string): string {
  const bytes = Buffer.byteLength(reason);
  if (bytes <= MOST_BYTES) return reason;
  throw new Error(`a close reason has at most ${MOST_BYTES} bytes, got ${bytes}`);
}

/** The beginning of a text that fits. */
export function shortReason(text: string): string {
  if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  const cut = Buffer.from(text)
    .subarray(0, MOST_BYTES - 3)
    .toString();
  // A character that was cut in the middle.
  return `${cut.replace(/\ufffd+$/, '')}…`;
}
