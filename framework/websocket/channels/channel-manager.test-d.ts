import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { ChannelMember } from '../channel-member.js';
import { type EventInputs, type EventOutputs, events } from '../events.js';
import { ChannelManager } from './channel-manager.js';

declare const socket: ChannelMember;

it('takes the events of the schemas, with the data before it is parsed', () => {
  const sends = { said: z.object({ at: z.string().transform(Number) }), pinged: z.undefined() };
  const channels = new ChannelManager({ sends });
  channels.subscribe(socket, 'a');
  expectTypeOf(channels.emit('a', 'said', { at: '1' })).toEqualTypeOf<Promise<void>>();
  channels.emit('a', 'pinged');
  channels.emitAll('said', { at: '1' });
  // @ts-expect-error the input is a string
  channels.emit('a', 'said', { at: 1 });
  // @ts-expect-error data is needed
  channels.emit('a', 'said');
  // @ts-expect-error no such event
  channels.emit('a', 'other', {});
  // @ts-expect-error no such event
  channels.emitAll('other', {});
  expectTypeOf<EventOutputs<typeof sends>['said']>().toEqualTypeOf<{ at: number }>();
});

it('takes the events of a type', () => {
  interface FromServer {
    said: { text: string };
    pinged: undefined;
  }
  const sends = events<FromServer>();
  const channels = new ChannelManager({ sends });
  channels.emit('a', 'said', { text: '' });
  channels.emit('a', 'pinged');
  // @ts-expect-error the text is a string
  channels.emit('a', 'said', { text: 1 });
  // @ts-expect-error no such event
  channels.emit('a', 'other', {});
  expectTypeOf<EventInputs<typeof sends>>().toEqualTypeOf<FromServer>();
  expectTypeOf<EventOutputs<typeof sends>>().toEqualTypeOf<FromServer>();
});

it('takes any event without a declaration', () => {
  const channels = new ChannelManager();
  channels.emit('a', 'anything', { x: 1 });
  channels.emit('a', 'anything');
});
