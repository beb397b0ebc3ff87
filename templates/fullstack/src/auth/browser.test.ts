// The names of browsers.
import { expect, test } from 'vitest';
import { browserOf } from './browser.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 16; K) ${chrome}`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.14.1', 'Unknown browser'],
  [undefined, 'Unknown browser'],
])('%s', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name);
});
