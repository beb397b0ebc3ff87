import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { WireType } from '../wire/wire-type.js';
import { clientText } from './code-client.js';
import { curlText } from './code-curl.js';
import { fetchText } from './code-fetch.js';
import { powerShellCode } from './code-powershell.js';
import { type Scheme, secretsFor } from './credentials.js';
import type { Detail, Parameter } from './detail.js';
import { type Filled, planOf, type RequestPlan } from './request-plan.js';

const page = 'http://here.example/docs';
const text: WireType = { kind: 'string' };
const parameter = (place: Parameter['in'], name: string, more: Partial<Parameter> = {}): Parameter => ({
  in: place,
  name,
  type: text,
  isRequired: false,
  description: undefined,
  isDeprecated: false,
  style: place === 'query' || place === 'cookie' ? 'form' : 'simple',
  explode: place === 'query',
  isJson: false,
  ...more,
});
const route: Detail = {
  description: undefined,
  deprecated: false,
  access: { isRequired: false, schemes: [], scopes: [] },
  parameters: [],
  bodies: [],
  isBodyRequired: false,
  answers: [],
  inputs: () => undefined,
  outputs: () => undefined,
  target: { kind: 'http', method: 'GET', base: 'http://here.example/v1', path: '/a', clientName: 'things.a' },
  problems: [],
};
const procedure = (target: Partial<Extract<Detail['target'], { kind: 'rpc' }>> = {}): Detail => ({
  ...route,
  target: { kind: 'rpc', mode: 'jsonrpc', path: '/rpc', name: 'tasks.add', procedure: 'mutation', ...target },
});
const none: Filled = { parameters: {}, body: undefined, mediaType: '' };

function urlOf(parameters: readonly Parameter[], values: Filled['parameters'], path = '/a'): string {
  const target = { ...route.target, path } as Detail['target'];
  return planOf({ ...route, target, parameters }, { ...none, parameters: values }, [], page).url.slice(22);
}

describe('the request of a route', () => {
  it.each<[Partial<Parameter>, unknown, string]>([
    [{}, ['a b', '&'], '/a?p=a%20b&p=%26'],
    [{ explode: false }, ['a', 'b'], '/a?p=a%2Cb'],
    [{ style: 'pipeDelimited', explode: false }, ['a', 'b'], '/a?p=a%7Cb'],
    [{ style: 'deepObject' }, { x: 1, y: 'z' }, '/a?p%5Bx%5D=1&p%5By%5D=z'],
    [{}, { x: 1 }, '/a?x=1'],
    [{ explode: false }, { x: 1 }, '/a?p=x%2C1'],
    [{ isJson: true }, { x: [1] }, '/a?p=%7B%22x%22%3A%5B1%5D%7D'],
    [{}, undefined, '/a'],
  ])('has the query of %j', (more, value, url) => {
    expect(urlOf([parameter('query', 'p', more)], { 'query p': value })).toBe(`${url}`.replace('/a', '/a'));
  });

  it.each<[Partial<Parameter>, unknown, string]>([
    [{}, 'a/b ü', '/a%2Fb%20%C3%BC'],
    [{}, ['a', 'b,c'], '/a,b%2Cc'],
    [{ style: 'label', explode: true }, ['a', 'b'], '/.a.b'],
    [{ style: 'matrix' }, 5, '/;p=5'],
    [{ style: 'matrix', explode: true }, ['a', 'b'], '/;p=a;p=b'],
    [{ explode: true }, { x: 1, y: 2 }, '/x=1,y=2'],
  ])('has the path of %j', (more, value, url) => {
    expect(urlOf([parameter('path', 'p', more)], { 'path p': value }, '/{p}')).toBe(url);
  });

  it('cannot be sent to another path, to another server, or with what HTTP forbids', () => {
    const problems = (more: Partial<Detail>, parameters: Filled['parameters']) =>
      planOf({ ...route, ...more }, { ...none, parameters }, [], page).problems.join();
    const target = { ...route.target, path: '/{p}' } as Detail['target'];
    const parameters = [parameter('path', 'p')];
    expect(problems({ target, parameters }, { 'path p': '..' })).toContain("'..' cannot be a part");
    expect(problems({ target, parameters }, {})).toContain("Fill in the path parameter 'p'");
    const foreign = { ...route.target, base: 'https://other.example' } as Detail['target'];
    expect(problems({ target: foreign }, {})).toContain('not https://other.example');
    const header = { parameters: [parameter('header', 'X-A')] };
    expect(problems(header, { 'header X-A': 'a\r\nb: c' })).toContain("The header 'X-A' cannot be sent");
    expect(problems({ parameters: [parameter('header', '@file')] }, { 'header @file': 'a' })).toContain(
      'cannot be sent',
    );
  });

  it.each<[string, unknown, RequestPlan['body']]>([
    ['application/json', { a: 1 }, { kind: 'text', text: '{"a":1}' }],
    ['application/vnd.x+json', 'a', { kind: 'text', text: '"a"' }],
    ['text/plain', 'a', { kind: 'text', text: 'a' }],
    [
      'application/x-www-form-urlencoded',
      { a: ['x y', 1], b: { c: 1 } },
      { kind: 'text', text: 'a=x%20y&a=1&b=%7B%22c%22%3A1%7D' },
    ],
    ['multipart/form-data', { a: 1, b: undefined }, { kind: 'form', parts: [['a', '1']] }],
  ])('has a body of %s', (mediaType, body, expected) => {
    const bodies = [{ mediaType, type: text, examples: [] }];
    expect(planOf({ ...route, bodies }, { ...none, body, mediaType }, [], page).body).toEqual(expected);
  });
});

describe('the request of a procedure', () => {
  it('is JSON-RPC, REST, or a form with its files', () => {
    const input = { title: 'a', n: null, tags: ['x', 'y'] };
    const sent = planOf(procedure(), { ...none, body: input }, [], page);
    expect([sent.method, sent.url]).toEqual(['POST', 'http://here.example/rpc']);
    expect(sent.body).toEqual({
      kind: 'text',
      text: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks.add', params: input }),
    });
    const rest = planOf(
      procedure({ mode: 'rest', path: '/api', procedure: 'subscription' }),
      { ...none, body: input },
      [],
      page,
    );
    expect([rest.method, rest.url]).toEqual([
      'GET',
      'http://here.example/api/tasks.add?title=a&tags=x&tags=y',
    ]);
    expect(rest.headers).toEqual([['Accept', 'text/event-stream']]);
    const file = new File(['x'], 'x.txt');
    const upload = planOf(procedure(), { ...none, body: { of: [{ 'a/b': file }] } }, [], page);
    expect(upload.headers).toEqual([['X-Fw-Upload', '1']]);
    expect(upload.body).toEqual({
      kind: 'form',
      parts: [
        ['json', '{"jsonrpc":"2.0","id":1,"method":"tasks.add","params":{"of":[{"a/b":null}]}}'],
        ['files', '["/params/of/0/a~1b"]'],
        ['0', file],
      ],
    });
    expect(planOf(procedure({ path: null }), none, [], page).problems).toHaveLength(1);
  });
});

const bearer: Scheme = {
  name: 'b',
  kind: 'bearer',
  field: 'Authorization',
  prefix: 'Bearer ',
  description: undefined,
};
const key: Scheme = { name: 'k', kind: 'query', field: 'key', prefix: '', description: undefined };
const basic: Scheme = {
  name: 'p',
  kind: 'basic',
  field: 'Authorization',
  prefix: 'Basic ',
  description: undefined,
};
const access = (...schemes: string[][]) => ({ isRequired: true, scopes: [], schemes });

describe('what authenticates', () => {
  it('is the first alternative that is complete, or all if none is named', () => {
    const found = (one: Detail['access'], entered: Record<string, string>) =>
      secretsFor(one, [bearer, key, basic], entered).map(({ name, value }) => `${name} ${value}`);
    expect(found(access(['b', 'k'], ['p']), { b: 't', p: 'ü:x' })).toEqual(['Authorization w7w6eA==']);
    expect(found(access(['b', 'k']), { b: 't' })).toEqual(['Authorization t']);
    expect(found(access(), { b: 't', k: 'q' })).toEqual(['Authorization t', 'key q']);
    expect(found(access(['k']), { b: 't' })).toEqual([]);
  });

  it('is in copied code only when asked for', () => {
    const secrets = secretsFor(access(), [bearer, key], { b: "se'cret", k: 'a&b' });
    const plan = planOf(procedure(), { ...none, body: {} }, secrets, page);
    for (const code of [curlText(plan, false), fetchText(plan, false), powerShellCode(plan, false)])
      expect(code).not.toMatch(/se.*cret|a&b/);
    expect(curlText(plan, false)).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
    expect(curlText(plan, true)).toContain(`-H 'Authorization: Bearer se'\\''cret'`);
    expect(curlText(plan, true)).toContain('/rpc?key=a%26b');
    expect(powerShellCode(plan, false)).toContain("'Authorization' = ('Bearer ' + $env:TOKEN)");
    expect(powerShellCode(plan, true)).toContain("'Authorization' = 'Bearer se''cret'");
    expect(fetchText(plan, true)).toContain("Authorization: 'Bearer se\\'cret'");
    const client = clientText(procedure(), { ...none, body: {} }, secrets, 'http://here.example', false);
    expect(client).toContain("headers: { 'Authorization': 'Bearer ' + TOKEN }");
  });
});

const hostile = `'; touch /tmp/owned; $(id) \`id\` \\ "\n\u2028*/ </script>`;

describe('copied code', () => {
  it('gives a shell exactly the words of the request', () => {
    const bodies = [{ mediaType: 'text/plain', type: text, examples: [] }];
    const parameters = [parameter('query', hostile), parameter('header', 'X-A')];
    const target = { ...route.target, method: 'PUT' } as Detail['target'];
    const values = { [`query ${hostile}`]: hostile, 'header X-A': "it's; $HOME" };
    const plan = planOf(
      { ...route, target, parameters, bodies },
      { parameters: values, body: hostile, mediaType: 'text/plain' },
      [],
      page,
    );
    const command = curlText(plan, true).replace(/^curl/, 'show');
    const show = 'show() { for word; do printf "%s\\0" "$word"; done; }';
    const words = execFileSync('sh', ['-c', `${show}\n${command}`])
      .toString()
      .split('\0');
    expect(words).toEqual([
      '-X',
      'PUT',
      plan.url,
      '-H',
      'Content-Type: text/plain',
      '-H',
      "X-A: it's; $HOME",
      '--data-raw',
      hostile,
      '',
    ]);
  });

  it('lets no name of a part read a file of the user', () => {
    const body = {
      kind: 'form',
      parts: [
        ['a=@/etc/passwd;x', new File([''], 'f')],
        ['b', '@/etc/passwd'],
        ['c', new File([''], 'a";x="\n')],
      ],
    } as const;
    const command = curlText({ ...planOf(route, none, [], page), method: 'POST', body }, false);
    expect(command).not.toContain('a=@/etc/passwd');
    expect(command).toContain("--form-string 'b=@/etc/passwd'");
    expect(command).toContain(`-F 'c=@"a\\";x=\\" "'`);
  });

  it('has names of files as texts and comments can have them', () => {
    const file = new File([''], 'a\\";*/b');
    const body = { kind: 'form', parts: [['c', file]] } as const;
    const plan = { ...planOf(route, none, [], page), method: 'POST', body };
    expect(curlText(plan, false)).toContain(`-F 'c=@"a\\\\\\";*/b"'`);
    expect(fetchText(plan, false)).toContain('file /* a\\";* /b */');
  });

  it('leaves secrets out that HTTP forbids, wherever they are sent', () => {
    const secrets = (['header', 'cookie'] as const).map((place) => {
      return { place, name: 'x-a', prefix: '', value: 'a\r\nb', placeholder: 'TOKEN' };
    });
    const plan = { ...planOf(route, none, [], page), secrets };
    for (const code of [curlText(plan, true), powerShellCode(plan, true)]) expect(code).not.toContain('x-a');
  });

  it('has text that is not well-formed as URLs can have it', () => {
    const filled = { ...none, parameters: { 'query q': 'a\ud800' } };
    const { url } = planOf({ ...route, parameters: [parameter('query', 'q')] }, filled, [], page);
    expect(url).toMatch(/\?q=a%EF%BF%BD$/);
  });

  it('is JavaScript with exactly the values of the request', async () => {
    const bodies = [{ mediaType: 'application/json', type: text, examples: [] }];
    const target = { ...route.target, method: 'POST' } as Detail['target'];
    const body = JSON.parse(`{"__proto__": 1, "a": ${JSON.stringify(hostile)}}`) as unknown;
    const parameters = [parameter('header', 'X-A')];
    const plan = planOf(
      { ...route, target, parameters, bodies },
      { parameters: { 'header X-A': "it's" }, body, mediaType: 'application/json' },
      [],
      page,
    );
    const code = fetchText(plan, false).replace(/\nconsole.*$/, '\nreturn response;');
    const run = new Function('fetch', `return (async () => { ${code} })()`) as (
      fetch: unknown,
    ) => Promise<unknown[]>;
    const [url, init] = (await run(async (...args: unknown[]) => args)) as [
      string,
      { body: string; headers: object },
    ];
    expect(url).toBe(plan.url);
    expect(init.headers).toEqual({ 'Content-Type': 'application/json', 'X-A': "it's" });
    expect(init.body).toBe(JSON.stringify(body));
  });

  it('calls the generated client', () => {
    const filled = { ...none, body: { title: 'a', file: new File([''], 'f') } };
    expect(
      clientText(procedure(), filled, [], 'http://here.example', false),
    ).toBe(`import { FwRpcClient } from './client.js';

const client = new FwRpcClient('http://here.example/rpc');
const result = await client.tasks.add({
  "title": "a",
  "file": file
});`);
    const odd = clientText(
      procedure({ name: "a.b-c'", procedure: 'subscription' }),
      none,
      [],
      'http://x',
      false,
    );
    expect(odd).toContain("for await (const event of client.a['b-c\\'']()) console.log(event);");
    const parameters = [parameter('path', 'id'), parameter('query', 'q')];
    const routeCode = clientText(
      { ...route, parameters },
      { ...none, parameters: { 'path id': '1' } },
      [],
      'http://x',
      false,
    );
    expect(routeCode).toContain('client.things.a({\n  "id": "1"\n})');
  });
});
