// For tests: procedures without schemas, and the contract that `fw generate` would keep for them.
import { RpcRegistry } from '../rpc/registry/registry.js';

export const contract: {
  version: 2;
  procedures: Record<'rename' | 'ping' | 'find', [kind: string, input: string, output: string]>;
  named: Record<'Rename', string>;
} = {
  version: 2,
  procedures: {
    rename: ['mutation', 'Rename', 'boolean'],
    ping: ['query', 'void', 'string'],
    find: ['query', '{ id: number } | void', 'unknown'],
  },
  named: { Rename: '{ name: string }' },
};

export function inferred(): RpcRegistry {
  return new RpcRegistry()
    .mutation('rename', (input: { name: string }) => Object.keys(input))
    .query('ping', (input) => (input === undefined ? 'pong' : 'input'))
    .query('find', (input?: { id: number }) => input ?? 'all');
}
