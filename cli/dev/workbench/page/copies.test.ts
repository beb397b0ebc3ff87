import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { RequestDetail } from '../protocol.js';
import { asCurl, asPowerShell, asTest, literal } from './copies.js';

const detail: RequestDetail = {
  id: 1,
  began: 0,
  method: 'POST',
  target: "/users?q='$(x)'",
  origin: 'http://127.0.0.1:3000',
  status: 201,
  requestHeaders: [
    ['Host', '127.0.0.1:3000'],
    ['Content-Type', 'application/json'],
    ['Content-Length', '15'],
    ['X-Tenant', "o'neil"],
    ['Sec-Fetch-Mode', 'cors'],
  ],
  requestBody: { size: 15, type: 'application/json', text: '{"name":"O\'Neil\\n"}' },
  responseHeaders: [['content-type', 'application/json']],
  responseBody: { size: 10, type: 'application/json', text: '{"id":1,"__proto__":{"a":[]},"b-c":null}' },
  steps: [],
  log: [],
};

describe('asCurl', () => {
  it('gives a shell exactly the parts of the call', () => {
    const command = asCurl(detail).replace(/^curl/, 'printf "%s\\n"');
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n').slice(0, -1)).toEqual([
      "http://127.0.0.1:3000/users?q='$(x)'",
      '-X',
      'POST',
      '-H',
      'Content-Type: application/json',
      '-H',
      "X-Tenant: o'neil",
      '-H',
      'Sec-Fetch-Mode: cors',
      '--data-raw',
      '{"name":"O\'Neil\\n"}',
    ]);
  });
});

describe('what is copied', () => {
  const hostile = 'x\u001b[201~\rtouch PWNED\r\u009b\u202e*/';
  const one: RequestDetail = {
    ...detail,
    target: '/a?x[]={1}',
    requestHeaders: [['X-Empty', '']],
    requestBody: { size: 20, type: 'text/plain', text: hostile },
    responseBody: { size: 9, type: 'text/plain\u009b*/' },
    responseHeaders: [['content-type', 'text/plain\u009b']],
  };

  it('has no control character that a terminal acts on', () => {
    const cut: RequestDetail = { ...one, requestBody: { size: 9, type: hostile } };
    for (const text of [asCurl(one), asTest(one), asTest(cut)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
    expect(asTest(cut).match(/\*\//g)).toHaveLength(1);
  });

  it('sends brackets and empty fields as they were', () => {
    expect(asCurl(one)).toContain("curl -g 'http://127.0.0.1:3000/a?x[]={1}'");
    expect(asCurl(one)).toContain("-H 'X-Empty;'");
  });
});

describe('asPowerShell', () => {
  it('has the fields that curl has, cookies in a session, and the body as UTF-8', () => {
    const headers = [
      ...detail.requestHeaders,
      ['Cookie', "sid=it's; theme=dark"],
    ] as typeof detail.requestHeaders;
    const command = asPowerShell({ ...detail, requestHeaders: headers });
    expect(command).toContain("System.Net.Cookie('sid', 'it''s', '/'");
    expect(command).toContain("System.Net.Cookie('theme', 'dark', '/'");
    expect(command).toContain(`Invoke-WebRequest -UseBasicParsing -Uri '${detail.origin}`);
    expect(command).toContain('UTF8.GetBytes(');
    expect(command).not.toContain("'Cookie' =");
  });
});

describe('asTest', () => {
  it('makes a test of the call and its answer', () => {
    expect(asTest(detail)).toBe(`import { TestClient } from 'fw/testing';
import { test } from 'vitest';
import { app } from './app.ts';

test('POST /users answers 201', async () => {
  const client = new TestClient(app);
  const answer = await client.post('/users?q=\\'$(x)\\'', {
    headers: { 'X-Tenant': 'o\\'neil' },
    json: { name: 'O\\'Neil\\n' },
  });
  answer.assertStatus(201);
  answer.assertJson({ id: 1, ['__proto__']: { a: [] }, 'b-c': null });
});
`);
  });

  it('says what it cannot copy', () => {
    const upload = {
      ...detail,
      requestBody: { size: 90, type: 'multipart/form-data; a=*/' },
      method: 'PURGE',
    };
    const { responseBody: _, ...unanswered } = upload;
    const text = asTest({ ...unanswered, responseHeaders: [['Content-Type', 'image/png']] });
    expect(text).toContain("client.request('PURGE', ");
    expect(text).toContain("body: '' /* 90 bytes of multipart/form-data; a=* / */");
    expect(text).toContain("answer.assertHeader('content-type', 'image/png');");
    const secret = asTest({ ...detail, requestHeaders: [['Authorization', '••••••']] });
    expect(secret).toContain('// The field Authorization was secret: add it if the call needs it.');
    expect(secret).not.toContain('••••••');
  });
});

describe('literal', () => {
  it.each(["'", '\\', '"', '\n\r', '\u2028\u2029', '`$`', '</script>'])('keeps %j', (text) => {
    expect(runInNewContext(literal(text))).toBe(text);
  });
});
