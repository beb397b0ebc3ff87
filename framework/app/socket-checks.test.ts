// The contract of WebSockets whose events are plain types.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../conformance/websocket/trial-socket.js';
import { contractText } from '../rpc/contract/contract-text.js';
import { events, websocket } from '../websocket/index.js';
import { parseType } from '../wire/read/parse-type.js';
import { App } from './app.js';

interface FromClient {
  say: { text: string };
}
interface FromServer {
  said: { text: string; keys: number };
}

const chat = () =>
  websocket({
    receives: events<FromClient>(),
    sends: events<FromServer>(),
    on: {
      say: (socket, data) => void socket.emit('said', { text: data.text, keys: Object.keys(data).length }),
    },
  });
const contract = (path: string, prefix = ''): unknown =>
  JSON.parse(
    contractText({
      procedures: {},
      named: {},
      sockets: {
        [path]: { receives: { say: parseType('{ text: string }') }, ...(prefix !== '' && { prefix }) },
      },
    }),
  );

const warn = vi.spyOn(console, 'warn');
beforeEach(() => void warn.mockReset());
afterEach(() => expect(warn.mock.calls.length).toBeLessThan(2));

describe('loadContract', () => {
  it.each([
    ['/rooms/:id', '', new App().websocket('/rooms/:id', chat())],
    ['/:id', '', new App().route('/rooms', new App().websocket('/:id', chat()))],
    ['/rooms/:id', '/rooms', new App().route('/rooms', new App<'/rooms'>().websocket('/:id', chat()))],
  ])('checks what clients send to %s (%s)', async (path, prefix, app) => {
    const { connect } = await serve(app.loadContract(contract(path, prefix)));
    const client = await connect('/rooms/1');
    client.send({ event: 'say', data: { text: 'hi', other: 1 } });
    client.send({ event: 'say', data: { text: 1 } });
    client.send({ event: 'shout', data: {} });
    await vi.waitFor(() => expect(client.received).toHaveLength(3));
    expect(client.json).toEqual([
      { event: 'said', data: { text: 'hi', keys: 1 } },
      {
        failed: {
          event: 'say',
          message: expect.stringContaining('text'),
          issues: [expect.objectContaining({ path: ['text'] })],
        },
      },
      { failed: { event: 'shout', message: 'there is no such event', issues: [] } },
    ]);
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['without it', undefined],
    ['with one of another WebSocket', contract('/other')],
  ])('says what is not checked %s, and the WebSocket works', async (_, file) => {
    const { connect } = await serve(new App().websocket('/chat', chat()).loadContract(file));
    const client = await connect('/chat');
    client.send({ event: 'say', data: { text: 1, other: 2 } });
    await vi.waitFor(() => expect(client.json).toEqual([{ event: 'said', data: { text: 1, keys: 2 } }]));
    expect(warn.mock.calls).toEqual([
      [
        "what clients send to the WebSocket '/chat' is not checked: run fw generate and load its contract by app.loadContract(), or give schemas",
      ],
    ]);
  });

  it('fails at the start with a contract of another version, and belongs on the App that listens', async () => {
    await expect(new App().websocket('/chat', chat()).loadContract({ version: 0 }).listen(0)).rejects.toThrow(
      'fw generate',
    );
    const mounted = new App().loadContract(contract('/x'));
    expect(() => new App().route('/a', mounted)).toThrow("the App mounted under '/a' sets loadContract");
  });
});
