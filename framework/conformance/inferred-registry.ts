// For tests: procedures without schemas, and the contract that `fw generate` would keep for them.
import { RpcRegistry } from '../rpc/registry.js';

export const contract: {
  version: 1;
  procedures: Record<'rename' | 'ping' | 'find', object>;
  named: Record<'Rename', object>;
} = {
  version: 1,
  procedures: {
    rename: {
      kind: 'mutation',
      input: { kind: 'ref', name: 'Rename' },
      output: { kind: 'boolean' },
    },
    ping: { kind: 'query', input: { kind: 'void' }, output: { kind: 'string' } },
    find: {
      kind: 'query',
      input: {
        kind: 'union',
        members: [
          { kind: 'object', fields: [{ name: 'id', type: { kind: 'number' }, isOptional: false }] },
          { kind: 'void' },
        ],
      },
      output: { kind: 'unknown' },
    },
  },
  named: {
    Rename: { kind: 'object', fields: [{ name: 'name', type: { kind: 'string' }, isOptional: false }] },
  },
};

export function inferred(): RpcRegistry {
  return new RpcRegistry()
    .mutation('rename', (input: { name: string }) => Object.keys(input))
    .query('ping', (input) => (input === undefined ? 'pong' : 'input'))
    .query('find', (input?: { id: number }) => input ?? 'all');
}
