// Conformance: the way into an App whose requests `fw dev` records, which must not change an answer.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { expect } from 'vitest';
import { Recorder } from '../../cli/dev/worker/recording/recorder.js';
import type { WorkerNews } from '../../cli/process/messages.js';
import type { Answer } from './case.js';

/** Answers what `send` sends, with every request recorded, and checks what the recorder says of it. */
export async function whileRecorded(send: () => Promise<Answer>): Promise<Answer> {
  const news: WorkerNews[] = [];
  const recorder = new Recorder((message, done) => {
    news.push(message);
    done?.();
  });
  const closed: Promise<unknown>[] = [];
  const emit = net.Server.prototype.emit;
  net.Server.prototype.emit = function emitRecorded(this: net.Server, event: string, ...args: unknown[]) {
    const pass = () => (emit as (event: string, ...args: unknown[]) => boolean).call(this, event, ...args);
    if (event !== 'request' && event !== 'checkContinue') return pass();
    const [request, response] = args as [IncomingMessage, ServerResponse];
    closed.push(once(response, 'close'));
    return recorder.request(request, response, undefined, pass);
  } as typeof emit;
  recorder.switch(true);
  try {
    const answer = await send();
    await Promise.all(closed);
    await recorder.flush();
    expect(news.filter(({ fw }) => fw === 'note')).toEqual([]);
    const records = news.flatMap((message) => (message.fw === 'records' ? message.records : []));
    if (closed.length > 0) expect(records.at(-1)?.status).toBe(answer.status);
    return answer;
  } finally {
    recorder.switch(false);
    net.Server.prototype.emit = emit;
  }
}
