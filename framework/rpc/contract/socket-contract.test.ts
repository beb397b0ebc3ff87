// The checks of events of plain types, from a contract file.
import { describe, expect, it } from 'vitest';
import { parseType } from '../../wire/read/parse-type.js';
import { contractText } from './contract-text.js';
import { SocketContract } from './socket-contract.js';

const parts = {
  procedures: {},
  named: { User: parseType('{ name: string; friends?: User[] }') },
  sockets: {
    '/rooms/:room': {
      receives: { say: parseType('{ text: string; to?: User }'), typing: parseType('void') },
      sends: { said: parseType('string') },
      description: 'A room.',
    },
    '/feed': { sends: { b: parseType('User'), a: parseType('User') } },
    '/orgs/:org/live': { prefix: '/orgs/:org', receives: { go: parseType('number') } },
    '/': { receives: { root: parseType('number') } },
  },
};
const text = contractText(parts);
const contract = () => new SocketContract(JSON.parse(text));

describe('the sockets of a contract', () => {
  it('are written sorted, and only if there are any', () => {
    expect(text).toBe(`{
  "version": 2,
  "procedures": {},
  "named": {
    "User": "{ friends?: User[], name: string }"
  },
  "sockets": {
    "/": {"receives":{"root":"number"}},
    "/feed": {"sends":{"a":"User","b":"User"}},
    "/orgs/:org/live": {"prefix":"/orgs/:org","receives":{"go":"number"}},
    "/rooms/:room": {"receives":{"say":"{ text: string, to?: User }","typing":"void"},"sends":{"said":"string"},"description":"A room."}
  }
}
`);
    expect(contractText({ procedures: {}, named: {}, sockets: {} })).not.toContain('sockets');
  });

  it('check what is received, and drop unknown keys', () => {
    const checks = contract().checks('/rooms/:room');
    expect([...(checks?.keys() ?? [])]).toEqual(['say', 'typing']);
    const say = checks?.get('say');
    const hostile = JSON.parse('{"text":"a","more":1,"__proto__":{"polluted":true},"to":{"name":"b","x":1}}');
    expect(say?.(hostile)).toEqual({ value: { text: 'a', to: { name: 'b' } } });
    expect(say?.({ text: 1 })).toEqual({ issues: [{ path: ['text'], message: expect.any(String) }] });
    expect(checks?.get('typing')?.(undefined)).toEqual({ value: undefined });
    expect(checks?.get('constructor')).toBeUndefined();
  });

  it('are found under the prefix of a mounted App', () => {
    expect(contract().checks('/api/rooms/:room', '/rooms/:room')?.has('say')).toBe(true);
    expect(contract().checks('/api/rooms/:room')).toBeUndefined();
    expect(contract().checks('/api/orgs/:org/live', '/live')?.has('go')).toBe(true);
    expect(contract().checks('/orgs/:org/live', '/live')?.has('go')).toBe(true);
    expect(contract().checks('/live')).toBeUndefined();
    expect(contract().checks('/chat/', '/')?.has('root')).toBe(true);
    expect(contract().checks('/feed')).toBeUndefined();
    expect(contract().checks('/__proto__')).toBeUndefined();
  });

  it.each([
    [{ sockets: [] }, 'sockets is not an object'],
    [{ sockets: { '/a': 1 } }, 'sockets["/a"] is not an object'],
    [{ sockets: { '/a': { receives: { b: 1 } } } }, 'sockets["/a"].receives["b"] is not a string'],
    [{ sockets: { '/a': { receives: { b: '{' } } } }, 'sockets["/a"].receives["b"]'],
    [{ sockets: { '/a': { prefix: 1 } } }, 'sockets["/a"].prefix is not a string'],
    [{ sockets: { '/a': { description: 1 } } }, 'sockets["/a"].description is not a string'],
  ])('refuses %j', (wrong, message) => {
    const made = () => new SocketContract({ version: 2, procedures: {}, named: {}, ...wrong }).checks('/a');
    expect(made).toThrow(`this is not a contract of fw generate: ${message}`);
  });
});
