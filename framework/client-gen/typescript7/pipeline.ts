// Inference: many queries to TypeScript 7 at once. Its API waits for the answer to each query, so that most of the time
// would be spent on switching between two processes. Here, further queries are sent before the answers have come.
import type { API } from 'typescript/unstable/sync';

/**
 * How many bytes of queries may wait for their answers: fewer than a pipe holds, so that a query can always be sent
 * while the compiler waits for its answers to be read.
 */
const MOST_BYTES = 4_096;

/** Around the name and the parameters of a query. */
const FRAME_BYTES = 16;

/** Types of messages. */
const REQUEST = 1;
const RESPONSE = 4;
const ERROR = 5;

/** The connection to the compiler's process, which answers in the order of the queries. Its members are private. */
interface Channel {
  requestSync(method: string, payload: string): string;
  getMethodBuf(method: string): Buffer;
  /** Makes the bytes of a message, and writes them with `writeAllBuf`. */
  writeTuple(type: number, method: Buffer, payload: string): void;
  /** @param length of what is written, if not all of it is. */
  writeAllBuf(data: Buffer, length?: number): void;
  readTuple(): void;
  readonly _msgType: number;
  readonly _msgName: Buffer;
  readonly _msgPayload: Buffer;
  /** The compiler's process; Node's private handle of its output. */
  readonly child?: { readonly stdout?: { readonly _handle?: { readStop?(): unknown } | null } | null };
  /** Only on Windows, whose pipes may hold nothing. */
  readonly pipeFd?: number;
}

export interface Query {
  readonly method: string;
  readonly payload: string;
}

type Answer = { readonly text: string } | { readonly error: Error };

/** Thrown instead of waiting for an answer; always the same, because the stack of an error takes time. */
const unanswered = new Error('this query is sent together with others');

export class Ts7Pipeline {
  readonly #channel: Channel | undefined;
  readonly #answers = new Map<string, Answer>();
  /** The queries of tasks that are being prepared; undefined while queries wait for their answers as usual. */
  #met: Map<string, Query> | undefined;
  /** Queries that were sent, and whose answers nobody has waited for yet. */
  #begun: readonly Query[] = [];

  /** Takes over the queries of the API; it leaves them as they are if the API is another than expected. */
  constructor(api: API) {
    this.#channel = channelOf(api);
    if (this.#channel === undefined) return;
    const ask = this.#channel.requestSync.bind(this.#channel);
    this.#channel.requestSync = (method, payload) => this.#answer({ method, payload }, ask);
  }

  /** Sends queries, which must not need much room, without waiting for their answers until one is needed. */
  begin(queries: readonly Query[]): void {
    const output = this.#channel?.child?.stdout?._handle;
    if (this.#channel === undefined || typeof output?.readStop !== 'function') return;
    // Node has begun to read the output, although nobody listens, and would take the answers when it is idle.
    output.readStop();
    send(queries, this.#channel);
    this.#begun = queries;
  }

  /**
   * Makes the queries of a task for all items, so that their answers are there when the same queries are made again.
   * The task is called again until all of its queries are answered, so it must not change anything before that.
   */
  prepare<Item>(items: readonly Item[], task: (item: Item) => unknown): void {
    if (this.#channel === undefined || items.length < 2) return;
    for (let left = items; left.length > 0; ) {
      const met = new Map<string, Query>();
      this.#met = met;
      left = left.filter((item) => lacksAnswer(() => task(item)));
      this.#met = undefined;
      this.#ask([...met], this.#channel);
    }
  }

  /** What a task gives for each of the items, whose queries are prepared. */
  each<Item, Result>(items: readonly Item[], task: (item: Item) => Result): Result[] {
    this.prepare(items, task);
    return items.map((item) => task(item));
  }

  /** Forgets all answers, because the compiler was told of changes. */
  forget(): void {
    this.#answers.clear();
  }

  #answer(query: Query, ask: (method: string, payload: string) => string): string {
    const { method, payload } = query;
    const key = keyOf(query);
    this.#awaitBegun();
    const answer = this.#answers.get(key);
    if (this.#met === undefined) {
      if (answer === undefined) return ask(method, payload);
      // What is asked again is kept by who asks.
      this.#answers.delete(key);
    } else if (answer === undefined) {
      this.#met.set(key, query);
      throw unanswered;
    }
    if ('error' in answer) throw answer.error;
    return answer.text;
  }

  #awaitBegun(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const query of begun) this.#answers.set(keyOf(query), readAnswer(query, this.#channel as Channel));
  }

  #ask(queries: readonly (readonly [key: string, query: Query])[], channel: Channel): void {
    let sent = 0;
    let waitingBytes = 0;
    for (const [key, query] of queries) {
      // Many with one call of the system, as soon as half of the room is free.
      if (waitingBytes <= MOST_BYTES / 2) {
        const next: Query[] = [];
        for (; sent < queries.length; sent += 1) {
          const [, one] = queries[sent] as (typeof queries)[number];
          if (waitingBytes > 0 && waitingBytes + sizeOf(one) > MOST_BYTES) break;
          waitingBytes += sizeOf(one);
          next.push(one);
        }
        send(next, channel);
      }
      this.#answers.set(key, readAnswer(query, channel));
      waitingBytes -= sizeOf(query);
    }
  }
}

function keyOf({ method, payload }: Query): string {
  return `${method} ${payload}`;
}

/** Writes the messages at once. */
function send(queries: readonly Query[], channel: Channel): void {
  const write = channel.writeAllBuf;
  const messages: Buffer[] = [];
  channel.writeAllBuf = (data, length) => {
    // The buffer is used again for the next message.
    messages.push(Buffer.from(data.subarray(0, length)));
  };
  try {
    for (const { method, payload } of queries) {
      channel.writeTuple(REQUEST, channel.getMethodBuf(method), payload);
    }
  } finally {
    channel.writeAllBuf = write;
  }
  if (messages.length > 0) channel.writeAllBuf(Buffer.concat(messages));
}

function lacksAnswer(task: () => unknown): boolean {
  try {
    task();
    return false;
  } catch (error) {
    // Whatever else is thrown is thrown again when the task is done without being prepared.
    return error === unanswered;
  }
}

function sizeOf({ method, payload }: Query): number {
  return Buffer.byteLength(payload) + method.length + FRAME_BYTES;
}

function readAnswer({ method }: Query, channel: Channel): Answer {
  channel.readTuple();
  const answered = channel._msgName.toString();
  const text = channel._msgPayload.toString();
  const isAnswer = channel._msgType === RESPONSE || channel._msgType === ERROR;
  if (answered !== method || !isAnswer) {
    throw new Error(`the compiler has answered '${answered}' (${channel._msgType}) to '${method}'`);
  }
  return channel._msgType === RESPONSE ? { text } : { error: new Error(text) };
}

const FUNCTIONS = ['requestSync', 'getMethodBuf', 'writeTuple', 'writeAllBuf', 'readTuple'] as const;

function channelOf(api: API): Channel | undefined {
  const { channel } = (api as unknown as { client?: { channel?: Partial<Channel> } }).client ?? {};
  if (channel === undefined || channel.pipeFd !== undefined) return undefined;
  const isComplete =
    FUNCTIONS.every((name) => typeof channel[name] === 'function') && typeof channel._msgType === 'number';
  return isComplete ? (channel as Channel) : undefined;
}
