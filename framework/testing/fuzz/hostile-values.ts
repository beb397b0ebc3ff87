// Fuzzing: values that have broken programs before. Each is looked for in the answer where it would show.

/** What must not come back in HTML as it is. */
export const MARKUP = `"'><fuzz-element>`;
/** No answer redirects here. */
export const FOREIGN_HOST = 'fuzz.example';
/** The field that an answer has if a line break in a value began a new one. */
export const SPLIT_HEADER = 'x-fuzz-split';
/** What every object has if one can be written through `__proto__`. */
export const POLLUTED = 'fuzzPolluted';

/** Texts, which are valid wherever any text is. */
export const HOSTILE_TEXTS: readonly string[] = [
  MARKUP,
  "' OR '1'='1",
  "'); DROP TABLE fuzz; --",
  '"',
  '\\',
  '%',
  '_',
  '%00',
  '\u0000',
  '\ud800',
  '\u202e\u200b',
  '😀'.repeat(20),
  ' ',
  '\t\r\n',
  `a\r\n${SPLIT_HEADER}: 1`,
  '../../../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  `//${FOREIGN_HOST}`,
  `https://${FOREIGN_HOST}/`,
  `/\\${FOREIGN_HOST}`,
  '__proto__',
  'constructor',
  'toString',
  '$where',
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template is what it looks like to others
  '${7*7}',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e400',
  '9007199254740993',
  '0x10',
  '[object Object]',
  '*',
  '(',
  '[',
  '('.repeat(50),
];

/** Texts whose answers tell what they were taken for: each operation gets all of them. */
export const TELLING_TEXTS: readonly string[] = [
  MARKUP,
  `a\r\n${SPLIT_HEADER}: 1`,
  '../../../../../../etc/passwd',
  `//${FOREIGN_HOST}`,
  `https://${FOREIGN_HOST}/`,
  '__proto__',
  '%',
  '(\\',
];

/** Values of header fields that have a form of their own, which only look right. */
export const TELLING_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'if-match': ['"fuzz"', 'W/"1", "fuzz"'],
  'if-none-match': ['"fuzz"', 'W/"1", "fuzz"'],
  'if-modified-since': ['fuzz'],
  'if-unmodified-since': ['fuzz'],
  range: ['bytes=-', 'bytes=9-1', 'bytes=0-99999999999999999999'],
  'accept-language': ['*;q=x, -'],
  'last-event-id': ['-1', '99999999999999999999'],
};

/** Header fields that any request may have, as nobody should write them. */
export const ODD_HEADERS: Readonly<Record<string, string>> = {
  'accept-language': '*;q=x, -',
  'if-modified-since': 'fuzz',
  'if-none-match': '"fuzz", W/"1", *',
  range: 'bytes=5-2, x',
  referer: MARKUP,
  traceparent: '00-fuzz',
  'x-forwarded-for': `${MARKUP}, 999.1.1.1`,
  'x-forwarded-host': FOREIGN_HOST,
  'x-request-id': MARKUP,
};

/** Numbers at the ends of what programs expect. */
export const HOSTILE_NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  1e21,
  1e308,
  -1e308,
  5e-324,
];

/** Keys that objects have already. */
export const HOSTILE_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  '',
];

/** Bodies that are not what their media type says, each with it. */
export const BROKEN_BODIES: readonly (readonly [type: string, text: string])[] = [
  ['application/json', ''],
  ['application/json', '{'],
  ['application/json', '[1,]'],
  ['application/json', 'null'],
  ['application/json', '"text"'],
  ['application/json', '\ufeff{}'],
  ['application/json', `{"__proto__":{"${POLLUTED}":true}}`],
  ['application/json', `{"constructor":{"prototype":{"${POLLUTED}":true}}}`],
  ['application/json', '[]'],
  ['application/json', '['.repeat(5000)],
  ['application/json', '{"a":'.repeat(2000)],
  ['application/json; charset=utf-16', '{}'],
  ['application/json; charset=nothing', '{}'],
  ['text/plain', '{}'],
  ['application/x-www-form-urlencoded', `a=1&__proto__[${POLLUTED}]=true&%=%&=`],
  ['multipart/form-data', 'no boundary'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nunfinished'],
  ['application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['application/octet-stream', '\u0000\u0001'],
  ['/', 'x'],
];

/** Names of files, some of which lead out of a folder. */
export const FILE_NAMES: readonly string[] = [
  'notes.txt',
  'a'.repeat(300),
  '../../fuzz.txt',
  '..\\fuzz.txt',
  'a\u0000.png',
  '.htaccess',
  'CON',
  `${MARKUP}.svg`,
  '',
];
