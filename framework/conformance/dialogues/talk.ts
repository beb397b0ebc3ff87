// Hostile dialogues: one connection of a client, from its first byte to its end.
import { connect } from 'node:net';
import type { Dialogue } from './dialogue.js';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** How long a client waits for an answer before it sends more, in milliseconds. */
const ANSWER_MS = 4;

/**
 * Resolves when the client has left. Nothing that the server does or leaves undone holds it up.
 *
 * @param patience how many times as long as usual it waits and stays
 */
export async function talk(
  port: number,
  { pieces, pause, end, stayMs }: Dialogue,
  patience = 1,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let wake = (): void => {};
  const isOver = (): boolean => socket.destroyed || socket.readableEnded;
  /** Until the server has said something, but not for long. */
  const said = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  for (const event of ['error', 'close', 'end', 'connect']) socket.on(event, () => wake());
  if (end === 'leave unread') socket.pause();
  else socket.on('data', () => wake());
  for (const piece of pieces) {
    if (isOver()) break;
    if (piece.length > 0) socket.write(piece);
    if (pause === 'answer') await said(ANSWER_MS * patience);
    if (pause === 'turn') await turn();
  }
  if (end === 'half-close') socket.end();
  const until = performance.now() + stayMs * patience;
  while (!isOver() && performance.now() < until) await said(until - performance.now());
  if (end === 'reset' && !socket.connecting) socket.resetAndDestroy();
  else socket.destroy();
}
