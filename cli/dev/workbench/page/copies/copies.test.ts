import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestDetail, TestSetup } from '../../protocol.js';
import { asCurl, asPowerShell } from './command-copies.js';
import { asFetch, asWebSocket } from './fetch-copy.js';
import { literal } from './source-text.js';
import { asTest } from './test-copy.js';

const setup: TestSetup = { runner: 'vitest', gives: 'app', file: 'src/app.ts', module: './app.ts' };

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
      '-H',
      'Content-Type: application/json',
      '-H',
      "X-Tenant: o'neil",
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
    const secret: RequestDetail = { ...one, requestHeaders: [['X-A', `••••••${hostile}`]] };
    const all = [one, cut, secret];
    const texts = all.flatMap((request) => [
      asCurl(request),
      asPowerShell(request),
      asFetch(request),
      asTest(request, setup),
      asWebSocket(request),
    ]);
    for (const text of texts) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
    expect(asTest(cut, setup).match(/\*\//g)).toHaveLength(1);
  });

  it('sends brackets and empty fields as they were', () => {
    expect(asCurl(one)).toContain("curl -g 'http://127.0.0.1:3000/a?x[]={1}'");
    expect(asCurl(one)).toContain("-H 'X-Empty;'");
  });
});

describe('asCurl, run', () => {
  const asked = new Map<
    string,
    { headers: IncomingHttpHeaders; method: string; url: string; body: string }
  >();
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        const { headers, method = '', url = '' } = request;
        asked.set(String(headers['x-case']), { headers, method, url, body });
        response.end('ok');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const run = (command: string, env: Record<string, string> = {}) =>
    promisify(execFile)('sh', ['-c', command.replace(/^curl/, 'curl --silent --show-error --max-time 20')], {
      env: { PATH: process.env.PATH, ...env },
    });
  const sent = (name: string, change: Partial<RequestDetail>): RequestDetail => ({
    ...detail,
    origin,
    ...change,
    requestHeaders: [...(change.requestHeaders ?? []), ['X-Case', name]],
  });

  it('sends what was sent, without what a browser adds', async () => {
    const request = sent('post', {
      target: '/a/../b?x[]={1}',
      requestHeaders: [
        ['Origin', origin],
        ['User-Agent', 'Mozilla'],
        ['Sec-Fetch-Site', 'same-origin'],
        ['Accept', 'text/html'],
        ['Content-Encoding', 'gzip'],
      ],
    });
    await run(asCurl(request));
    expect(asked.get('post')).toMatchObject({
      method: 'POST',
      url: '/a/../b?x[]={1}',
      body: detail.requestBody?.text,
      headers: { accept: 'text/html' },
    });
    const { headers } = asked.get('post') ?? {};
    for (const name of ['origin', 'sec-fetch-site', 'content-encoding', 'content-type'])
      expect(headers, name).not.toHaveProperty(name);
    expect(headers?.['user-agent']).toMatch(/^curl/);
  });

  it.each([
    ['HEAD', '/head'],
    ['GET', '/get'],
    ['OPTIONS', '*'],
    ['DELETE', '/one'],
  ])('sends %s %s, and ends', async (method, target) => {
    const { requestBody: _, ...plain } = sent(method, { method, target });
    await run(asCurl(plain));
    expect(asked.get(method)).toMatchObject({ method, url: target });
  });

  it('takes secrets from variables, and sends nothing without them', async () => {
    const request = sent('secret', {
      target: '/a?token=••••••',
      requestHeaders: [
        ['Authorization', '••••••'],
        ['Cookie', 'theme=dark; sid=••••••; csrf=••••••'],
      ],
      requestBody: { size: 40, type: 'application/json', text: '{"password":"••••••","user":"ada"}' },
    });
    const command = asCurl(request);
    expect(command).not.toContain('••••••');
    await expect(run(command)).rejects.toThrow(/TOKEN: is a secret: set it before/);
    expect(asked.has('secret')).toBe(false);
    const env = { TOKEN: 'a', AUTHORIZATION: 'Bearer b', SID: 'c', CSRF: 'd', PASSWORD: "e'$f" };
    await run(command, env);
    expect(asked.get('secret')).toMatchObject({
      url: '/a?token=a',
      headers: { authorization: 'Bearer b', cookie: 'theme=dark; sid=c; csrf=d' },
      body: `{"password":"e'$f","user":"ada"}`,
    });
  });
});

describe('asFetch', () => {
  it('is JavaScript that sends the same', async () => {
    const calls: [string, RequestInit][] = [];
    const context = {
      fetch: async (url: string, init: RequestInit = {}) => {
        calls.push([url, init]);
        return new Response('ok');
      },
      console: { log: () => {} },
      done: undefined as Promise<void> | undefined,
    };
    const run = (text: string) => runInNewContext(`done = (async () => {${text}})()`, context);
    await run(asFetch(detail));
    expect(calls.at(-1)?.[0]).toBe("http://127.0.0.1:3000/users?q='$(x)'");
    expect({ ...calls.at(-1)?.[1], headers: { ...(calls.at(-1)?.[1].headers as object) } }).toEqual({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Tenant': "o'neil" },
      body: detail.requestBody?.text,
    });
    const secret: RequestDetail = {
      ...detail,
      requestHeaders: [['Cookie', `a=\`\${1}\`; sid=••••••`]],
      requestBody: { size: 40, type: 'text/plain', text: 'password=••••••' },
    };
    const text = asFetch(secret);
    expect(text).toMatch(/^const sid = ''; \/\/ a secret: write it here\nconst password = ''; /);
    await run(text);
    expect(calls.at(-1)?.[1]).toMatchObject({ headers: { Cookie: `a=\`\${1}\`; sid=` }, body: 'password=' });
    const { requestBody: _, ...plain } = detail;
    await run(asFetch({ ...plain, method: 'GET', requestHeaders: [] }));
    expect(calls.at(-1)?.[1]).toEqual({});
    expect(asFetch({ ...detail, method: 'GET' })).toContain('// fetch sends no body with this method');
  });
});

describe('asWebSocket', () => {
  it('opens the same, with its protocols', () => {
    const request: RequestDetail = {
      ...detail,
      target: '/live?ticket=••••••',
      requestHeaders: [['Sec-WebSocket-Protocol', 'chat, token.••••••']],
    };
    expect(asWebSocket(request).split('\n').slice(0, 3)).toEqual([
      "const ticket = ''; // a secret: write it here",
      "const protocol = ''; // a secret: write it here",
      'const socket = new WebSocket(`ws://127.0.0.1:3000/live?ticket=$' +
        "{ticket}`, ['chat', `token.$" +
        '{protocol}`]);',
    ]);
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
    const secret = asPowerShell({ ...detail, requestHeaders: [['Authorization', 'Bearer ••••••']] });
    expect(secret).toMatch(/^if \(-not \$env:AUTHORIZATION\) \{ throw '/);
    expect(secret).toContain("('Bearer ' + $env:AUTHORIZATION)");
  });
});

describe('asTest', () => {
  it('makes a test of the call and its answer', () => {
    expect(asTest(detail, setup)).toBe(`// Save it as a file beside src/app.ts, such as copied.test.ts.
import { TestClient } from 'fw/testing';
import { test } from 'vitest';
import { app } from './app.ts';

test('POST /users answers 201', async () => {
  const client = new TestClient(app);
  const response = await client.post('/users?q=\\'$(x)\\'', {
    headers: { 'X-Tenant': 'o\\'neil' },
    json: { name: 'O\\'Neil\\n' },
  });
  response.assertStatus(201);
  response.assertJson({ id: 1, ['__proto__']: { a: [] }, 'b-c': null });
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
    const text = asTest({ ...unanswered, responseHeaders: [['Content-Type', 'image/png']] }, setup);
    expect(text).toContain("client.request('PURGE', ");
    expect(text).toContain("body: '' /* 90 bytes of multipart/form-data; a=* / */");
    expect(text).toContain("response.assertHeader('content-type', 'image/png');");
  });

  it('has constants for secrets, and compares no body that has some', () => {
    const secret = asTest(
      {
        ...detail,
        requestHeaders: [['Authorization', '••••••']],
        responseBody: { size: 20, type: 'application/json', text: '{"token":"••••••"}' },
      },
      setup,
    );
    expect(secret).toContain("  const authorization = ''; // a secret: write it here\n");
    expect(secret).toContain('headers: { Authorization: authorization }');
    expect(secret).toContain('// The body has secrets, which the page does not have');
    expect(secret).not.toContain('••••••');
  });

  it('makes an App for the test where the project has a function for it', () => {
    const text = asTest(detail, {
      runner: 'node:test',
      gives: 'testApp',
      file: 'src/test-app.mts',
      module: './test-app.mjs',
    });
    expect(text).toContain("import { test } from 'node:test';\nimport { testApp } from './test-app.mjs';");
    expect(text).toContain('such as copied.test.mts.');
    expect(text).toMatch(
      /const api = await testApp\(\);\n {2}try \{\n {4}const client = new TestClient\(api\.app\);/,
    );
    expect(text).toMatch(/\} finally \{\n {4}await api\[Symbol\.asyncDispose\]\(\);/);
  });
});

describe('literal', () => {
  it.each(["'", '\\', '"', '\n\r', '\u2028\u2029', '`$`', '</script>'])('keeps %j', (text) => {
    expect(runInNewContext(literal(text))).toBe(text);
  });
});

it('says what to change where no file exports the App', () => {
  const text = asTest(detail, {
    runner: 'node:test',
    gives: 'unknown',
    file: 'src/app.ts',
    module: './app.ts',
    entry: 'src/main.ts',
  });
  expect(
    text,
  ).toContain(`// No file exports the App yet, and a test that imports src/main.ts would start the server.
// Move the App from src/main.ts to src/app.ts, as \`export const app = …\`. What stays in src/main.ts is
// \`import { app } from './app.ts';\` and \`app.listen(…)\`.
import { app } from './app.ts';
`);
});
