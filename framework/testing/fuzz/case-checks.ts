// Fuzzing: whether the values of a request are what its operation takes.
import type { Detail } from '../../api-model/detail.js';
import { parameterKey } from '../../api-model/request-plan.js';
import { checkOf, type ValueCheck } from '../../api-model/type-space.js';
import type { FuzzCase } from './fuzz-case.js';

export class CaseChecks {
  readonly #detail: Detail;
  readonly #parts = new Map<string, ValueCheck>();

  constructor(detail: Detail) {
    this.#detail = detail;
    const [body] = detail.bodies;
    for (const one of detail.parameters) this.#parts.set(parameterKey(one), checkOf(one.type, detail.inputs));
    if (body !== undefined) this.#parts.set('body', checkOf(body.type, detail.inputs));
  }

  isValid({ parameters, body }: Pick<FuzzCase, 'parameters' | 'body'>): boolean {
    const isFine = (key: string, value: unknown): boolean =>
      (this.#parts.get(key)?.(value).length ?? 0) === 0;
    const { parameters: declared, bodies, isBodyRequired } = this.#detail;
    const hasParameters = declared.every((one) => {
      const value = parameters[parameterKey(one)];
      return value === undefined ? !one.isRequired : isFine(parameterKey(one), value);
    });
    if (!hasParameters) return false;
    return body === undefined ? !isBodyRequired || bodies.length === 0 : isFine('body', body);
  }
}
