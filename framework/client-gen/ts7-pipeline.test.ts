// Queries that are sent together get the answers that they would have got one after the other.
import type { API } from 'typescript/unstable/sync';
import { describe, expect, it } from 'vitest';
import { Ts7Pipeline } from './ts7-pipeline.js';

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
    this.waiting.push([method.toString(), payload]);
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
    ['readTuple', undefined],
    ['getMethodBuf', undefined],
    ['pipeFd', 7],
    ['_msgType', undefined],
  ])('are made one by one if the connection has %s as %s', (name, value) => {
    const channel = Object.assign(new TrialChannel(), { [name]: value });
    const { pipeline, ask } = setUp(channel);
    pipeline.prepare(['1', '2'], (one) => ask('double', one));
    expect(channel.log).toEqual([]);
    expect(ask('double', '1')).toBe('2');
  });

  it('are left to the task if there is only one', () => {
    const { channel, pipeline, ask } = setUp();
    pipeline.prepare(['1'], (one) => ask('double', one));
    expect(channel.log).toEqual([]);
  });
});
