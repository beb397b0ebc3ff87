import { describe, expect, it } from 'vitest';
import { assertNodeServer, howToServe } from './serving-side.js';

describe('assertNodeServer', () => {
  it.each([
    ['Bun', "app.listen() does not work on Bun; use listen(app, …), with import { listen } from 'fw/bun'"],
    [
      'Workers',
      'app.listen() does not work on Workers; the platform starts the server, so write: export default app',
    ],
  ] as const)('says what to use on %s', (runtime, message) => {
    expect(() => assertNodeServer('app.listen()', runtime)).toThrow(
      expect.objectContaining({ code: 'FW_RUNTIME', message }),
    );
  });

  it.each(['Node.js', 'Deno'] as const)('allows it on %s', (runtime) => {
    expect(() => assertNodeServer('app.listen()', runtime)).not.toThrow();
  });
});

describe('howToServe', () => {
  it('is meant for this process', () => expect(howToServe()).toBe('use app.listen()'));
});
