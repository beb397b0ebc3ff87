// Fuzzing: one request to an operation, as values that fast-check can shrink.
import { type Arbitrary, constant, constantFrom, oneof, record, sample } from 'fast-check';
import type { Body, Detail, Parameter } from '../../api-model/detail.js';
import { parameterKey } from '../../api-model/request-plan.js';
import { NOBODY, STRANGER } from './caller.js';
import { CaseChecks } from './case-checks.js';
import { BROKEN_BODIES, HOSTILE_TEXTS } from './hostile-values.js';
import { anything, type KnownValues, Values } from './values.js';

/** What is done besides sending the request. */
export type Extra = 'nothing' | 'head' | 'batch' | 'foreign origin' | 'without token' | 'odd headers';

export interface FuzzCase {
  readonly caller: string;
  /** Whether every value is one of its type. */
  readonly isValid: boolean;
  /** By place and name, as `query page`; undefined for what is left out. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly mediaType: string;
  /** A body that is sent instead, with its media type. */
  readonly broken: readonly [type: string, text: string] | undefined;
  readonly extra: Extra;
}

export interface Callers {
  /** Who signs in; the first calls most. */
  readonly identities: readonly string[];
  readonly extras: readonly Extra[];
}

/** Requests to one operation: most of them valid. */
export function casesOf(detail: Detail, known: KnownValues, callers: Callers): Arbitrary<FuzzCase> {
  const maker = new CaseMaker(detail, new Values(detail.inputs, known), callers);
  const plain = new CaseMaker(detail, new Values(detail.inputs, known, 'plain'), callers);
  return oneof(
    { weight: 3, arbitrary: plain.valid() },
    { weight: 4, arbitrary: maker.valid() },
    { weight: 4, arbitrary: maker.nearlyValid() },
    { weight: 2, arbitrary: maker.hostile() },
    ...(isWritten(detail) ? [{ weight: 1, arbitrary: maker.broken() }] : []),
  );
}

/** Each body that is not what its type says, once. */
export function brokenCasesOf(detail: Detail, known: KnownValues, caller: string, seed: number): FuzzCase[] {
  if (!isWritten(detail)) return [];
  const [valid] = sample(plainCasesOf(detail, known, caller), { numRuns: 1, seed });
  if (valid === undefined) return [];
  return BROKEN_BODIES.map((broken) => ({ ...valid, body: undefined, broken, isValid: false }));
}

/** Requests of one caller as people make them, with nothing besides. */
export function plainCasesOf(detail: Detail, known: KnownValues, caller: string): Arbitrary<FuzzCase> {
  const callers = { identities: [caller], extras: ['nothing'] } as const;
  return new CaseMaker(detail, new Values(detail.inputs, known, 'plain'), callers).validOf(constant(caller));
}

/** Whether its requests may have a body. */
function isWritten({ target }: Detail): boolean {
  if (target.kind === 'rpc') return target.mode === 'jsonrpc' || target.procedure === 'mutation';
  return target.kind === 'http' && !['GET', 'HEAD', 'OPTIONS'].includes(target.method);
}

class CaseMaker {
  readonly #detail: Detail;
  readonly #values: Values;
  readonly #callers: Callers;
  readonly #body: Body | undefined;
  readonly #checks: CaseChecks;

  constructor(detail: Detail, values: Values, callers: Callers) {
    this.#detail = detail;
    this.#values = values;
    this.#callers = callers;
    this.#body = detail.bodies[0];
    this.#checks = new CaseChecks(detail);
  }

  valid(): Arbitrary<FuzzCase> {
    return this.validOf(this.#caller());
  }

  validOf(caller: Arbitrary<string>): Arbitrary<FuzzCase> {
    const parameters = this.#parameters((one) => this.#values.valid(one.type, one.name));
    return this.#case({ caller, parameters, body: this.#validBody() });
  }

  /** One part is not as it should be. */
  nearlyValid(): Arbitrary<FuzzCase> {
    const { parameters } = this.#detail;
    const spots = [...parameters.map(parameterKey), ...(this.#body === undefined ? [] : ['body'])];
    if (spots.length === 0) return this.hostile();
    return constantFrom(...spots).chain((spot) =>
      this.#case({
        parameters: this.#parameters((one) =>
          parameterKey(one) === spot
            ? this.#values.nearlyValid(one.type, one.name)
            : this.#values.valid(one.type, one.name),
        ),
        body:
          spot === 'body' && this.#body !== undefined
            ? this.#values.nearlyValid(this.#body.type)
            : this.#validBody(),
      }),
    );
  }

  hostile(): Arbitrary<FuzzCase> {
    const parameters = this.#parameters(() => constantFrom<unknown>(...HOSTILE_TEXTS));
    const body = this.#body === undefined ? constant(undefined) : oneof(this.#validBody(), anything());
    return this.#case({ parameters, body });
  }

  broken(): Arbitrary<FuzzCase> {
    return this.#case({
      parameters: this.#parameters((one) => this.#values.valid(one.type, one.name)),
      broken: constantFrom(...BROKEN_BODIES),
    });
  }

  #validBody(): Arbitrary<unknown> {
    if (this.#body === undefined) return constant(undefined);
    const value = this.#values.valid(this.#body.type);
    return this.#detail.isBodyRequired
      ? value
      : oneof({ weight: 1, arbitrary: constant(undefined) }, { weight: 3, arbitrary: value });
  }

  #parameters(make: (one: Parameter) => Arbitrary<unknown>): Arbitrary<Record<string, unknown>> {
    const entries = this.#detail.parameters.map((one): [string, Arbitrary<unknown>] => {
      const value = make(one);
      return [parameterKey(one), one.isRequired ? value : oneof(constant(undefined), value)];
    });
    return record(Object.fromEntries(entries));
  }

  #caller(): Arbitrary<string> {
    const { identities } = this.#callers;
    return oneof(
      ...identities.map((name, at) => ({ weight: at === 0 ? 6 : 2, arbitrary: constant(name) })),
      { weight: 1, arbitrary: constant(NOBODY) },
      { weight: 1, arbitrary: constant(STRANGER) },
    );
  }

  #case(parts: {
    readonly caller?: Arbitrary<string>;
    readonly parameters: Arbitrary<Record<string, unknown>>;
    readonly body?: Arbitrary<unknown>;
    readonly broken?: Arbitrary<readonly [string, string]>;
  }): Arbitrary<FuzzCase> {
    const { caller = this.#caller(), parameters, body = constant(undefined), broken } = parts;
    const { extras } = this.#callers;
    return record({
      caller,
      parameters,
      body,
      broken: broken ?? constant(undefined),
      extra:
        extras.length === 1
          ? constant(extras[0] ?? 'nothing')
          : oneof(
              { weight: 4, arbitrary: constant('nothing' as const) },
              { weight: 1, arbitrary: constantFrom(...extras) },
            ),
    }).map((made) => ({
      ...made,
      isValid: made.broken === undefined && this.#checks.isValid(made),
      mediaType: this.#body?.mediaType ?? '',
    }));
  }
}
