// The RequestSource of an IncomingMessage.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';

interface Given {
  url?: string;
  headers?: IncomingMessage['headers'];
  httpVersion?: string;
  socket?: object;
  idleBodies?: IdleBodies;
}

function received({
  url = '/',
  headers = { host: 'x' },
  httpVersion = '1.1',
  socket = {},
  idleBodies,
}: Given = {}) {
  const incoming = new IncomingMessage(Object.assign(new Socket(), socket));
  Object.assign(incoming, { method: 'POST', url, headers, httpVersion });
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = true;
  return { incoming, outgoing, source: new NodeRequestSource(incoming, outgoing, idleBodies) };
}

describe('a request of node:http', () => {
  it('has its header fields as strings, without those of Object.prototype', () => {
    const { source } = received({ headers: { host: 'x', 'set-cookie': ['a', 'b'] } });
    expect(source.header('host')).toBe('x');
    expect(source.header('set-cookie')).toBe('a, b');
    expect(source.header('constructor')).toBeUndefined();
    expect(source.headers()).toEqual({ host: 'x', 'set-cookie': 'a, b' });
    expect(Object.getPrototypeOf(source.headers())).toBeNull();
  });

  it.each([
    [
      { remoteAddress: '::1', remotePort: 7 },
      { address: '::1', port: 7 },
    ],
    [{ remoteAddress: undefined, remotePort: 7 }, undefined],
    [{ remoteAddress: '::1', remotePort: undefined }, undefined],
  ])('knows its peer if it is %j', (ends, peer) => {
    const { incoming, source } = received();
    for (const [name, value] of Object.entries(ends)) Object.defineProperty(incoming.socket, name, { value });
    expect(source.peer).toEqual(peer);
  });

  it.each([
    ['/a?b', 'x:81', {}, '/a?b', 'http://x:81'],
    ['/a', 'x', { encrypted: true }, '/a', 'https://x'],
    ['/a', '', {}, '/a', 'http://localhost'],
    ['/a', undefined, {}, '/a', 'http://localhost'],
    ['/a', 'a%zz', {}, '/a', 'http://localhost'],
    ['/a', 'x/y', {}, '/a', 'http://localhost'],
    ['*', 'x', {}, '*', 'http://x'],
    ['HTTPS://y:1/a?b', 'x', {}, '/a?b', 'http://y:1'],
    ['http://y', 'x', {}, '/', 'http://y'],
    ['http://y?b', 'x', {}, '/?b', 'http://y'],
    ['xhttp://y/a', 'x', {}, 'xhttp://y/a', 'http://x'],
    ['ftp://y/a', 'x', {}, 'ftp://y/a', 'http://x'],
  ])('to %s at host %s over %j is for %s of %s', (url, host, socket, target, origin) => {
    const { source } = received({ url, headers: host === undefined ? {} : { host }, socket });
    expect([source.target, source.origin]).toEqual([target, origin]);
  });

  it.each([
    ['/', undefined, '1.1', 'the Host header is missing'],
    ['/', undefined, '1.0', undefined],
    ['/', '', '1.1', undefined],
    ['/', 'a b', '1.1', 'the Host header is malformed'],
    ['/', 'a:123456', '1.1', 'the Host header is malformed'],
    ['/', 'xa,b', '1.1', 'the Host header is malformed'],
    ['/', 'a:99999', '1.1', 'the Host header is malformed'],
    ['/', '256.1.1.1', '1.1', 'the Host header is malformed'],
    ['/', 'a%zz', '1.1', 'the Host header is malformed'],
    ['http://a:99999/', 'x', '1.1', 'the Host header is malformed'],
    ['/', '[::1]x', '1.1', 'the Host header is malformed'],
    ['/', 'a:', '1.1', undefined],
    ['/', 'a:12345', '1.1', undefined],
    ['/', '[::ffff:1.2.3.4]', '1.1', undefined],
    ['http://a@b/', 'x', '1.1', 'the Host header is malformed'],
    ['http://b/', 'a b', '1.1', 'the Host header is malformed'],
    ['http://b/', undefined, '1.1', 'the Host header is missing'],
    ['http:///', 'x', '1.1', undefined],
  ])('to %s with host %s and HTTP/%s is refused: %s', (url, host, httpVersion, refused) => {
    const { source } = received({ url, httpVersion, headers: host === undefined ? {} : { host } });
    expect(source.refused).toBe(refused);
  });
});

describe('the signal of a request', () => {
  it('aborts if the connection is closed before the response is finished', () => {
    const { outgoing, source } = received();
    const { signal } = source;
    expect(source.signal).toBe(signal);
    expect(outgoing.listenerCount('close')).toBe(1);
    expect(signal.aborted).toBe(false);
    outgoing.emit('close');
    expect(signal.reason).toMatchObject({ status: 400, message: 'the client closed the connection' });
    expect(outgoing.listenerCount('close')).toBe(0);
  });

  it('is aborted if it is first read after that', () => {
    const { outgoing, source } = received();
    outgoing.destroy();
    expect(source.signal.aborted).toBe(true);
  });

  it('does not abort after the response is finished', () => {
    const { outgoing, source } = received();
    const { signal } = source;
    outgoing.end();
    Object.defineProperty(outgoing, 'writableFinished', { value: true });
    outgoing.emit('close');
    expect(signal.aborted).toBe(false);
  });

  it('aborts if the server ends the response, with the reason of the server', () => {
    const { source } = received();
    const reason = new Error('the server is shutting down');
    source.abort(reason);
    expect(source.signal.reason).toBe(reason);
  });
});

describe('Expect: 100-continue', () => {
  const asks = ({ connection, ...given }: Given & { connection?: string }, expecting = '100-Continue') => {
    const headers = { host: 'x', expect: expecting, ...(connection !== undefined && { connection }) };
    const { outgoing, source } = received({ idleBodies: new IdleBodies(500), ...given, headers });
    outgoing.shouldKeepAlive = false;
    let asked = 0;
    outgoing.writeContinue = () => {
      asked += 1;
    };
    source.readBody().catch(() => {});
    return [asked, outgoing.shouldKeepAlive];
  };

  it('asks the client for the body, and keeps its connection unless the client closes it', () => {
    expect(asks({})).toEqual([1, true]);
    expect(asks({ connection: 'close' })).toEqual([1, false]);
  });

  it('is ignored for HTTP/1.0, for other expectations, and in a server that is not by fw', () => {
    expect(asks({ httpVersion: '1.0' })).toEqual([0, false]);
    expect(asks({}, 'wonders')).toEqual([0, false]);
    const { outgoing, source } = received({ headers: { host: 'x', expect: '100-continue' } });
    outgoing.writeContinue = () => expect.unreachable();
    source.readBody().catch(() => {});
    expect(outgoing.shouldKeepAlive).toBe(true);
  });

  it('is ignored after the response has begun', () => {
    const { outgoing, source } = received({
      headers: { host: 'x', expect: '100-continue' },
      idleBodies: new IdleBodies(500),
    });
    outgoing.writeContinue = () => expect.unreachable();
    outgoing.flushHeaders();
    source.readBody().catch(() => {});
    expect(outgoing.headersSent).toBe(true);
  });
});
