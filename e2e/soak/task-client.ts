// One client of tasks: it adds, changes, removes, reads and lists them, and asks wrong things, each in its turn.
import type { Account } from './account.js';
import { type Answer, type Call, type Caller, outcomeOf } from './caller.js';
import type { Ledger, Row } from './ledger.js';
import { eventKey, type LiveAccount } from './live-account.js';

/** More are removed again, so that lists stay short. */
const MOST_TASKS = 60;
const TOO_LARGE = 'x'.repeat(70_000);

type Step = () => Promise<unknown>;

export class TaskClient {
  readonly account: Account;
  readonly live: LiveAccount;
  readonly caller: Caller;
  readonly #ledger: Ledger;
  readonly #name: string;
  readonly #mine: Row[] = [];
  /** Tasks whose last write had no answer. */
  readonly #uncertain: string[] = [];
  #count = 0;

  constructor(name: string, account: Account, caller: Caller, ledger: Ledger, live: LiveAccount) {
    this.#name = name;
    this.account = account;
    this.caller = caller;
    this.#ledger = ledger;
    this.live = live;
  }

  /** Writes are a third of all. */
  readonly #steps: readonly Step[] = [
    () => this.#add(),
    () => this.#read(),
    () => this.#change(),
    () => this.#list(),
    () => this.#add(),
    () => this.#ask('who am I', { path: '/me', headers: this.account.headers, expected: [200] }),
    () => this.#change(),
    () => this.#read(),
    () => this.#wrong(),
    () => this.#remove(),
    () => this.#list(),
    () => this.#ask('health', { path: '/health', expected: [200] }),
  ];

  async step(): Promise<void> {
    const uncertain = this.#uncertain.shift();
    if (uncertain !== undefined) return this.#look(uncertain);
    const at = this.#count++;
    if (at % 400 === 399) return this.account.renew();
    await this.#steps[at % this.#steps.length]?.();
  }

  async #add(): Promise<void> {
    if (this.#mine.length >= MOST_TASKS) return this.#remove();
    const title = `${this.#name} adds ${this.#count}`;
    const body = { title, notes: 'n'.repeat(this.#count % 500) };
    const answer = await this.#write('add', { method: 'POST', path: '/tasks', body, expected: [201] });
    const row = answer.json as Row;
    const outcome = outcomeOf(answer.status);
    this.#ledger.added(title, outcome, row);
    if (outcome !== 'acknowledged') return;
    this.#mine.push(row);
    this.live.told(eventKey('added', row.id, 1), answer.began);
  }

  async #change(): Promise<void> {
    const row = this.#mine.shift();
    if (row === undefined) return;
    const { id, version } = row;
    const title = `${this.#name} changes ${this.#count}`;
    const headers = { 'if-match': `"${version}"` };
    const call = { method: 'PATCH', path: `/tasks/${id}`, headers, body: { title }, expected: [200] };
    const answer = await this.#write('change', call);
    const next = { id, title, version: version + 1 };
    this.#settle(row, next, answer, eventKey('changed', id, next.version));
  }

  async #remove(): Promise<void> {
    const row = this.#mine.shift();
    if (row === undefined) return;
    const { id, version } = row;
    const headers = { 'if-match': `"${version}"` };
    const call = { method: 'DELETE', path: `/tasks/${id}`, headers, expected: [204] };
    const answer = await this.#write('remove', call);
    this.#settle(row, undefined, answer, eventKey('removed', id));
  }

  #settle(before: Row, next: Row | undefined, { status, began }: Answer, key: string): void {
    const outcome = outcomeOf(status);
    this.#ledger.changed(before.id, next, outcome);
    if (outcome === 'acknowledged') this.live.told(key, began);
    else if (outcome === 'unknown') this.live.mayTell(key);
    if (outcome === 'unknown') this.#uncertain.push(before.id);
    else if (outcome === 'refused') this.#mine.push(before);
    else if (next !== undefined) this.#mine.push(next);
  }

  /** What an unknown write has made of a task. */
  async #look(id: string): Promise<void> {
    const call = { path: `/tasks/${id}`, headers: this.account.headers, expected: [200, 404] };
    const { status, json } = await this.#ask('look again', call);
    if (status === 404) this.#ledger.saw(id, undefined);
    else if (status === 200) {
      this.#ledger.saw(id, json as Row);
      this.#mine.push(json as Row);
    } else this.#uncertain.push(id);
  }

  async #read(): Promise<void> {
    const row = this.#mine[this.#count % Math.max(1, this.#mine.length)];
    if (row === undefined) return;
    const isMachine = this.#count % 3 === 0;
    const headers = isMachine ? this.account.keyHeaders : this.account.headers;
    const known = this.#count % 2 === 0;
    const tag = { ...headers, ...(known && { 'if-none-match': `"${row.version}"` }) };
    const call = { path: `/tasks/${row.id}`, headers: tag, expected: [known ? 304 : 200] };
    await this.#ask(isMachine ? 'read by key' : 'read', call);
  }

  /** All pages, each by the cursor of the one before. */
  async #list(): Promise<void> {
    let cursor: string | null | undefined = '';
    while (typeof cursor === 'string') {
      const path: string = `/tasks?limit=20${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const call = { path, headers: this.account.headers, expected: [200] };
      const { json } = await this.#ask('list', call);
      cursor = (json as { nextCursor?: string | null } | undefined)?.nextCursor;
    }
  }

  async #wrong(): Promise<void> {
    const { headers } = this.account;
    const id = this.#mine[0]?.id ?? crypto.randomUUID();
    const body = { title: 'wrong' };
    const all: readonly Call[] = [
      { method: 'POST', path: '/tasks', headers, body: '{"title":', expected: [400] },
      { method: 'POST', path: '/tasks', headers, body: { title: '' }, expected: [422] },
      { method: 'POST', path: '/tasks', headers, body: { title: TOO_LARGE }, expected: [413] },
      { method: 'POST', path: '/tasks', headers: this.account.keyHeaders, body, expected: [403] },
      { path: '/tasks', expected: [401] },
      { path: `/tasks/${crypto.randomUUID()}`, headers, expected: [404] },
      { method: 'PATCH', path: `/tasks/${id}`, headers, body, expected: [428] },
      {
        method: 'PATCH',
        path: `/tasks/${id}`,
        headers: { ...headers, 'if-match': '"99999"' },
        body,
        expected: [404, 412],
      },
      { path: '/tasks?cursor=nothing', headers, expected: [400, 422] },
      { path: '/nowhere', headers, expected: [404] },
      { method: 'PUT', path: '/tasks', headers, body, expected: [405] },
    ];
    const call = all[Math.floor(this.#count / this.#steps.length) % all.length] as Call;
    await this.#ask('wrong', call);
  }

  #write(kind: string, call: Call): Promise<Answer> {
    return this.#ask(kind, { ...call, headers: { ...this.account.headers, ...call.headers } });
  }

  async #ask(kind: string, call: Call): Promise<Answer> {
    const answer = await this.caller.call(kind, call);
    if (answer.status === 401 && call.headers?.authorization !== undefined) await this.account.renew();
    return answer;
  }
}
