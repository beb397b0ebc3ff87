import diagnostics from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { isHeard } from './trace-channel.js';

describe('isHeard', () => {
  it('says whether a channel has subscribers', () => {
    const channel = diagnostics.channel('fw:is-heard');
    expect(isHeard(channel)).toBe(false);
    const listener = () => {};
    channel.subscribe(listener);
    expect(isHeard(channel)).toBe(true);
    channel.unsubscribe(listener);
    expect(isHeard(diagnostics.tracingChannel('fw:is-heard'))).toBe(false);
  });

  it('asks where it is a method, as on Workers', () => {
    const channel = {
      subscribers: 0,
      hasSubscribers() {
        return this.subscribers > 0;
      },
    };
    const asked = channel as unknown as { hasSubscribers: boolean };
    expect(isHeard(asked)).toBe(false);
    channel.subscribers = 1;
    expect(isHeard(asked)).toBe(true);
  });
});
