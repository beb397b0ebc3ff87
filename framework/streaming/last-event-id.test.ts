import { describe, expect, it } from 'vitest';
import { decodeEventId } from './sse-event.js';

describe('the id of a client that reconnects', () => {
  it.each([
    ['plain text', '42-a b~', '42-a b~'],
    ['nothing', '', ''],
    ['what a browser sends as UTF-8', 'gr\u00c3\u00bc\u00c3\u009fe \u00e2\u0082\u00ac', 'grüße €'],
    ['what another client sends as Latin-1', 'gr\u00fc\u00dfe', 'grüße'],
    ['UTF-8 that breaks off', 'a\u00c3', 'a\u00c3'],
    ['a DEL, which is not visible ASCII', 'a\x7f', 'a\x7f'],
  ])('is %s: %j', (_what, sent, id) => {
    expect(decodeEventId(sent)).toBe(id);
  });
});
