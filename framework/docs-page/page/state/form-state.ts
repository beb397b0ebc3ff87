// The page about an API: what the user has filled in for one operation. It is kept while other operations are open.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Body, Detail, Parameter } from '../../../api-model/detail.js';
import { readJson } from '../../../api-model/json-text.js';
import { type Filled, parameterKey } from '../../../api-model/request-plan.js';
import { checkOf, type ValueCheck } from '../../../api-model/type-space.js';
import { holdsFile, pathKey, type ValuePath, withAt } from '../../../api-model/value-path.js';
import { initialOf } from '../../../wire/made-value.js';

/** What is wrong, by the path of the value: `["query page"]` or `["body","title"]`. */
export type Issues = ReadonlyMap<string, string>;

export class FormState {
  readonly filled: Signal<Filled>;
  /** The text of the raw view while it is not the text of the value. */
  readonly rawText: Signal<string | undefined> = signal(undefined);
  readonly isRaw: Signal<boolean> = signal(false);
  /** Whether a call was tried: then all issues show. */
  readonly isTried: Signal<boolean> = signal(false);
  readonly touched: Signal<ReadonlySet<string>> = signal(new Set());
  /** Which members of unions are chosen, by their paths. */
  readonly choices: Signal<ReadonlyMap<string, number>> = signal(new Map());
  readonly issues: ReadonlySignal<Issues>;
  readonly #detail: Detail;
  readonly #checks = new Map<string, ValueCheck>();

  constructor(detail: Detail) {
    this.#detail = detail;
    const [body] = detail.bodies;
    this.filled = signal({
      parameters: Object.fromEntries(
        detail.parameters.map((one) => [parameterKey(one), initialParameter(one, detail)]),
      ),
      body: body === undefined ? undefined : initialBody(body, detail),
      mediaType: body?.mediaType ?? '',
    });
    this.issues = computed(() => this.#findIssues(this.filled.value));
  }

  get body(): Body | undefined {
    const { mediaType } = this.filled.value;
    return this.#detail.bodies.find((one) => one.mediaType === mediaType) ?? this.#detail.bodies[0];
  }

  setParameter(key: string, value: unknown): void {
    const { parameters } = this.filled.value;
    this.filled.value = { ...this.filled.value, parameters: { ...parameters, [key]: value } };
  }

  setBody(value: unknown): void {
    this.filled.value = { ...this.filled.value, body: value };
    this.rawText.value = undefined;
  }

  changeBody(path: ValuePath, value: unknown): void {
    this.setBody(withAt(this.filled.value.body, path, value));
  }

  setMediaType(mediaType: string): void {
    const body = this.#detail.bodies.find((one) => one.mediaType === mediaType);
    if (body === undefined) return;
    this.filled.value = { ...this.filled.value, mediaType, body: initialBody(body, this.#detail) };
    this.rawText.value = undefined;
    this.choices.value = new Map();
  }

  /** The two views are of one value; text that is not JSON stays until it is. */
  setRaw(text: string): void {
    const read = readJson(text);
    if ('value' in read) this.filled.value = { ...this.filled.value, body: read.value };
    this.rawText.value = text;
  }

  get raw(): string {
    return this.rawText.value ?? JSON.stringify(this.filled.value.body, undefined, 2) ?? '';
  }

  /** Why the raw text is not a value. */
  get rawFault(): string | undefined {
    const text = this.rawText.value;
    if (text === undefined || text.trim() === '') return undefined;
    const read = readJson(text);
    return 'value' in read ? undefined : `line ${read.line}, column ${read.column}: ${read.message}`;
  }

  /** Files have no JSON. */
  get mayBeRaw(): boolean {
    return !holdsFile(this.filled.value.body);
  }

  touch(path: string): void {
    if (!this.touched.value.has(path)) this.touched.value = new Set(this.touched.value).add(path);
  }

  choose(path: string, index: number): void {
    this.choices.value = new Map(this.choices.value).set(path, index);
  }

  /** What is wrong at a path, if it is time to say so. */
  issueAt(path: ValuePath): string | undefined {
    const key = pathKey(path);
    const shows = this.isTried.value || this.touched.value.has(key);
    return shows ? this.issues.value.get(key) : undefined;
  }

  #findIssues({ parameters, body }: Filled): Issues {
    const found = new Map<string, string>();
    const { inputs, isBodyRequired } = this.#detail;
    const run = (start: string, check: ValueCheck, value: unknown): void => {
      for (const { path, message } of check(value)) {
        const key = pathKey([start, ...path]);
        if (!found.has(key)) found.set(key, message);
      }
    };
    for (const one of this.#detail.parameters) {
      const key = parameterKey(one);
      const value = parameters[key];
      if (value === undefined && !one.isRequired) continue;
      if (one.in === 'path' && value === '') found.set(pathKey([key]), 'fill this in');
      else run(key, this.#check(key, one.type, inputs), value);
    }
    const { body: shape } = this;
    if (shape !== undefined && (isBodyRequired || body !== undefined)) {
      run('body', this.#check(`body ${shape.mediaType}`, shape.type, inputs), body);
    }
    return found;
  }

  #check(key: string, ...[type, lookup]: Parameters<typeof checkOf>): ValueCheck {
    const known = this.#checks.get(key) ?? checkOf(type, lookup);
    this.#checks.set(key, known);
    return known;
  }
}

function initialParameter({ type, isRequired }: Parameter, { inputs }: Detail): unknown {
  if (isRequired) return initialOf(type, inputs);
  return undefined;
}

function initialBody({ type, examples }: Body, { inputs, isBodyRequired }: Detail): unknown {
  const [example] = examples;
  if (example !== undefined) return example.value;
  return isBodyRequired || type.kind === 'object' ? initialOf(type, inputs) : undefined;
}
