// The page about an API: the call of one operation: what was filled in, and what came back.
import { type Signal, signal } from '@preact/signals';
import type { Api } from '../../../api-model/api.js';
import { secretsFor } from '../../../api-model/credentials.js';
import type { Detail } from '../../../api-model/detail.js';
import type { StreamEvent } from '../../../api-model/event-stream.js';
import type { Operation } from '../../../api-model/operations.js';
import { planOf, type RequestPlan } from '../../../api-model/request-plan.js';
import { type Received, type ReceivedHead, sendRequest } from '../send/send-request.js';
import { FormState } from './form-state.js';
import { LogState } from './log-state.js';
import { credentials } from './page-state.js';

export type CallResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answered'; readonly received: Received }
  | { readonly kind: 'stream'; readonly head: ReceivedHead; readonly ended: string | undefined };

const states = new WeakMap<Operation, CallState>();

/** The same for the same operation, so that what was filled in is still there when it is opened again. */
export function callStateOf(api: Api, operation: Operation): CallState {
  const known = states.get(operation) ?? new CallState(api, api.detail(operation));
  states.set(operation, known);
  return known;
}

export class CallState {
  readonly detail: Detail;
  readonly form: FormState;
  readonly result: Signal<CallResult> = signal({ kind: 'none' });
  readonly events: LogState = new LogState();
  readonly #api: Api;
  #controller: AbortController | undefined;

  constructor(api: Api, detail: Detail) {
    this.#api = api;
    this.detail = detail;
    this.form = new FormState(detail);
  }

  /** The request as it is filled in now. */
  get plan(): RequestPlan {
    const secrets = secretsFor(this.detail.access, this.#api.schemes, credentials.value);
    return planOf(this.detail, this.form.filled.value, secrets, location.href);
  }

  get isRunning(): boolean {
    const { value } = this.result;
    return value.kind === 'sending' || (value.kind === 'stream' && value.ended === undefined);
  }

  async send(): Promise<void> {
    this.form.isTried.value = true;
    const { plan } = this;
    const [problem] = plan.problems;
    if (problem !== undefined) {
      this.result.value = { kind: 'failed', message: problem };
      return;
    }
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    this.events.clear();
    this.result.value = { kind: 'sending' };
    let head: ReceivedHead | undefined;
    try {
      const received = await sendRequest(plan, {
        csrf: this.#api.csrf,
        signal: controller.signal,
        onStream: (found) => {
          head = found;
          this.result.value = { kind: 'stream', head: found, ended: undefined };
        },
        onEvents: (events) => this.#log(events),
      });
      if (received !== undefined) this.result.value = { kind: 'answered', received };
      else if (head !== undefined) this.#end(head, 'The server has ended the stream.');
    } catch (error) {
      const message = controller.signal.aborted ? 'Stopped.' : failureText(error);
      if (this.#controller !== controller) return;
      if (head === undefined) this.result.value = { kind: 'failed', message };
      else this.#end(head, message);
    }
  }

  stop(): void {
    this.#controller?.abort();
  }

  #end(head: ReceivedHead, ended: string): void {
    this.result.value = { kind: 'stream', head, ended };
  }

  #log(events: readonly StreamEvent[]): void {
    const at = Date.now();
    this.events.add(
      events.map(
        ({ event, data, id }) =>
          ({
            at,
            direction: 'in',
            name: event === 'message' ? '' : event,
            id: id ?? '',
            text: data,
          }) as const,
      ),
    );
  }
}

/** Browsers tell a page no more of a failed request than that it failed. */
function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === 'Failed to fetch'
    ? 'There is no answer: the server cannot be reached, or has cut the connection.'
    : message;
}
