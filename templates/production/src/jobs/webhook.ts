// The job `webhook`: tells another server of a change of a task. Replace it with your own, such as mails.
import { createHmac } from 'node:crypto';
import type { Traces } from 'fw/opentelemetry';
import type { TaskChange } from '../tasks/task-changes.ts';
import type { Job } from './queue.ts';

export interface TaskEvent {
  event: `task.${TaskChange['kind']}`;
  taskId: string;
  ownerId: string;
  at: string;
}

export interface Receiver {
  url: string;
  /** Signs what is sent, so that the receiver knows that it comes from here. */
  secret: string;
  traces: Traces;
}

/**
 * Makes the handler. The receiver gets each event at least once: it tells a second delivery by `Idempotency-Key`, and a
 * forged one by `X-Signature`, the HMAC of the body.
 */
export function webhook({ url, secret, traces }: Receiver): (job: Job<TaskEvent>) => Promise<void> {
  return function webhook({ id, data }) {
    const body = JSON.stringify(data);
    const attributes = { 'server.address': new URL(url).host };
    return traces.run('POST webhook', { kind: 'client', attributes }, async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
          ...traces.headers(),
        },
        body,
        // The address is configured, and an answer must not send the event to another one.
        redirect: 'error',
        signal: AbortSignal.timeout(5000),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the webhook was answered ${response.status}`);
    });
  };
}
