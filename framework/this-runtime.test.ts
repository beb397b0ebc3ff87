import { expect, it } from 'vitest';
import { runtimeOf, THIS_RUNTIME } from './this-runtime.js';

it.each([
  [{ Bun: {} }, 'Bun'],
  [{ Deno: {} }, 'Deno'],
  [{ WebSocketPair: class {} }, 'Workers'],
  [{ process: {} }, 'Node.js'],
])('is told by its globals: %j', (globals, name) => expect(runtimeOf(globals)).toBe(name));

it('is the one of these tests', () => expect(THIS_RUNTIME).toBe('Node.js'));
