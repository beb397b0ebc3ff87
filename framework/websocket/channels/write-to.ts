// Channels: writes to one connection.
import { reportError } from '../../tracing/error-channel.js';
import type { ChannelMember } from '../channel-member.js';
import { Frame } from '../frame.js';
import type { FrameBatch } from '../frame-batch.js';

/** A connection that fails keeps nothing from the others. */
export function writeTo(member: ChannelMember, messages: Frame | FrameBatch): void {
  try {
    if (messages instanceof Frame) member.sendFrame(messages);
    else if (member.sendFrames !== undefined) member.sendFrames(messages);
    else for (const frame of messages.frames) member.sendFrame(frame);
  } catch (error) {
    reportError({ error, status: 500, method: 'websocket', path: '' });
  }
}
