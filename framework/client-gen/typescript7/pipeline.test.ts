// Queries that are sent together get the answers that they would have got one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { API } from 'typescript/unstable/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Ts7Pipeline } from './pipeline.js';

const REQUEST = 1;
const RESPONSE = 4;
const ERROR = 5;

/** A compiler that answers in order: `double` and `fail` of a number, `length` of a text. */
class TrialChannel {
  _msgType = 0;
  _msgName: Buffer = Buffer.alloc(0);
  _msgPayload: Buffer = Buffer.alloc(0);
  /** Queries that were sent, and not answered yet. */
  readonly waiting: [method: string, payload: string][] = [];
  readonly log: string[] = [];
  mostBytes = 0;
  writes = 0;
  isLeftAlone = false;
  readonly child: object | undefined = {
    stdout: {
      _handle: {
        readStop: () => {
          this.isLeftAlone = true;
        },
      },
    },
  };
  /** Used again for each message. */
  readonly #buffer: Buffer = Buffer.alloc(200_000);
  /** Changes the next answer. */
  spoil: Partial<Record<'type' | 'name', unknown>> = {};

  requestSync(method: string, payload: string): string {
    this.log.push(`${method} ${payload.slice(0, 20)}`);
    const [type, text] = this.#answer(method, payload);
    if (type === ERROR) throw new Error(text);
    return text;
  }

  getMethodBuf(method: string): Buffer {
    return Buffer.from(method);
  }

  writeTuple(type: number, method: Buffer, payload: string): void {
    expect(type).toBe(REQUEST);
    this.writeAllBuf(this.#buffer, this.#buffer.write(`${method} ${payload}\n`));
  }

  writeAllBuf(data: Buffer, length?: number): void {
    this.writes += 1;
    for (const line of data.toString('utf8', 0, length).split('\n').slice(0, -1)) {
      const [method = ''] = line.split(' ', 1);
      this.waiting.push([method, line.slice(method.length + 1)]);
    }
    const bytes = this.waiting.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    this.mostBytes = Math.max(this.mostBytes, bytes);
  }

  readTuple(): void {
    const [method, payload] = this.waiting.shift() ?? ['nothing was asked', ''];
    this.log.push(`+ ${method} ${payload.slice(0, 20)}`);
    const [type, text] = this.#answer(method, payload);
    this._msgType = (this.spoil.type as number) ?? type;
    this._msgName = Buffer.from((this.spoil.name as string) ?? method);
    this._msgPayload = Buffer.from(text);
  }

  #answer(method: string, payload: string): [type: number, text: string] {
    if (method === 'length') return [RESPONSE, String(payload.length)];
    return method === 'double' ? [RESPONSE, String(Number(payload) * 2)] : [ERROR, `panic: ${payload}`];
  }
}

function setUp(channel: TrialChannel = new TrialChannel()) {
  const pipeline = new Ts7Pipeline({ client: { channel } } as unknown as API);
  const ask = (method: string, payload: string) => channel.requestSync(method, payload);
  return { channel, pipeline, ask };
}

describe('prepared queries', () => {
  it('are sent together, also those that depend on answers, and are not sent again', () => {
    const { channel, pipeline, ask } = setUp();
    const twice = (one: string) => ask('double', ask('double', one));
    pipeline.prepare(['1', '2', '3'], twice);
    expect(channel.log).toEqual(['+ double 1', '+ double 2', '+ double 3', '+ double 4', '+ double 6']);
    channel.log.length = 0;
    expect(['1', '2', '3'].map(twice)).toEqual(['4', '8', '12']);
    // Twice 1 and twice 2 have asked for the double of 2: its answer was used up by the first.
    expect(channel.log).toEqual(['double 2']);
  });

  it('are forgotten when the compiler is told of changes', () => {
    const { channel, pipeline, ask } = setUp();
    pipeline.prepare(['1', '2'], (one) => ask('double', one));
    pipeline.forget();
    expect(ask('double', '1')).toBe('2');
    expect(channel.log).toEqual(['+ double 1', '+ double 2', 'double 1']);
  });

  it('fail with the error of the compiler when they are made, and not before', () => {
    const { pipeline, ask } = setUp();
    let calls = 0;
    pipeline.prepare(['1', 'other'], (one) => {
      if (one === '1') return ask('fail', one);
      calls += 1;
      throw new Error('of the task');
    });
    expect(calls).toBe(1);
    expect(() => ask('fail', '1')).toThrow('panic: 1');
  });

  it('wait for their answers in small numbers, so that no pipe is ever full', () => {
    const { channel, pipeline, ask } = setUp();
    const payloads = Array.from({ length: 200 }, (_, index) => 'é'.repeat(100 + index));
    payloads.push('x'.repeat(100_000), 'y'.repeat(50));
    pipeline.prepare(payloads, (payload) => ask('length', payload));
    expect(channel.waiting).toEqual([]);
    expect(channel.mostBytes).toBe(100_000);
    channel.log.length = 0;
    expect(payloads.map((payload) => ask('length', payload))).toEqual(
      payloads.map(({ length }) => `${length}`),
    );
    expect(channel.log).toEqual([]);
    const small = setUp();
    small.pipeline.prepare(payloads.slice(0, 200), (one) => small.ask('length', one));
    expect(small.channel.mostBytes).toBeLessThanOrEqual(4_096);
    expect(small.channel.waiting).toEqual([]);
  });

  it('are written together, many with one call of the system', () => {
    const { channel, pipeline, ask } = setUp();
    const all = Array.from({ length: 1000 }, (_, index) => `${index}`);
    pipeline.prepare(all, (one) => ask('double', one));
    // 1000 queries of 22 bytes and their digits, 2048 bytes at a time or more.
    expect(channel.writes).toBeLessThan(15);
    expect(all.map((one) => ask('double', one))).toEqual(all.map((one) => `${Number(one) * 2}`));
  });

  it('that were begun are not waited for before they or others are needed, and are not sent again', () => {
    const { channel, pipeline, ask } = setUp();
    const begun = ['1', '2'].map((payload) => ({ method: 'double', payload }));
    pipeline.begin(begun);
    expect(channel.waiting).toHaveLength(2);
    expect(channel.isLeftAlone).toBe(true);
    expect(channel.log).toEqual([]);
    expect(ask('double', '3')).toBe('6');
    expect(channel.log).toEqual(['+ double 1', '+ double 2', 'double 3']);
    channel.log.length = 0;
    expect([ask('double', '1'), ask('double', '2')]).toEqual(['2', '4']);
    expect(channel.log).toEqual([]);
  });

  it('that were begun fail when they are needed', () => {
    const { pipeline, ask } = setUp();
    pipeline.begin([{ method: 'fail', payload: '1' }]);
    expect(ask('double', '3')).toBe('6');
    expect(() => ask('fail', '1')).toThrow('panic: 1');
  });

  it.each([[{ type: 6 }], [{ name: 'other' }]])('refuse an answer to another query: %j', (spoil) => {
    const { channel, pipeline, ask } = setUp();
    channel.spoil = spoil;
    expect(() => pipeline.prepare(['1', '2'], (one) => ask('double', one))).toThrow(
      /^the compiler has answered '(double|other)' \(\d\) to 'double'$/,
    );
  });

  it.each([
    ['writeTuple', undefined],
    ['writeAllBuf', undefined],
    ['readTuple', undefined],
    ['getMethodBuf', undefined],
    ['pipeFd', 7],
    ['_msgType', undefined],
  ])('are made one by one if the connection has %s as %s', (name, value) => {
    const channel = Object.assign(new TrialChannel(), { [name]: value });
    const { pipeline, ask } = setUp(channel);
    pipeline.begin([{ method: 'double', payload: '1' }]);
    pipeline.prepare(['1', '2'], (one) => ask('double', one));
    expect(channel.log).toEqual([]);
    expect(channel.waiting).toEqual([]);
    expect(ask('double', '1')).toBe('2');
  });

  it('leave the answers of a real process in its pipe until they are read', async () => {
    const code =
      "process.stdin.once('data', () => process.stdout.write('answer', () => process.send('sent')))";
    const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
    onTestFinished(() => void child.kill());
    const channel = Object.assign(new TrialChannel(), { child });
    const { pipeline } = setUp(channel);
    pipeline.begin([{ method: 'double', payload: '1' }]);
    child.stdin?.write('asked');
    await once(child, 'message');
    // In these turns, Node would read what is there.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    expect(child.stdout?.readableLength).toBe(0);
    const { fd } = (child.stdout as unknown as { _handle: { fd: number } })._handle;
    expect(readSync(fd, Buffer.alloc(16))).toBe('answer'.length);
  });

  it('are not begun if Node could take the answers', () => {
    const channel = Object.assign(new TrialChannel(), { child: undefined });
    const { pipeline, ask } = setUp(channel);
    pipeline.begin([{ method: 'double', payload: '1' }]);
    expect(channel.waiting).toEqual([]);
    expect(ask('double', '1')).toBe('2');
  });

  it('are left to the task if there is only one', () => {
    const { channel, pipeline, ask } = setUp();
    pipeline.prepare(['1'], (one) => ask('double', one));
    expect(channel.log).toEqual([]);
  });
});
