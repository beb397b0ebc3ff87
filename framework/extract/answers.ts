// Responses of a described route: parses what a handler returns by the schema of its status.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import { isWebResponse, refuseStream } from '../dispatch/to-response.js';
import { endUnsent } from '../http/end-unsent.js';
import { FwResponse, isBodiless, isFinalStatus } from '../http/response.js';
import { isSchema } from '../options/is-schema.js';
import { kindOf } from '../options/shown.js';
import { chained, isPromise, toChainable } from '../promises.js';
import { check, type Issues } from '../schema/check.js';
import { rejection } from '../schema/rejection.js';
import type { ResponseDescription, Responses } from './route.js';

/** What a route answers, by status. */
export type AnswerTable = ReadonlyMap<number, ResponseDescription>;

/** @throws ConfigError if a key is not a status, or a value is neither a schema, an answer nor `null`. */
export function answerTable(route: string, returns: Responses): AnswerTable {
  if (isSchema(returns)) return new Map([[200, { body: returns }]]);
  const table = new Map<number, ResponseDescription>();
  for (const [key, value] of Object.entries(returns)) {
    const status = Number(key);
    if (!isFinalStatus(status)) {
      throw invalid(
        route,
        `has the key '${key}'; give a schema, or statuses from 200 to 599 with their schemas`,
      );
    }
    table.set(status, checkAnswer(route, status, value));
  }
  if (table.size === 0) throw invalid(route, 'is empty; give a schema, or leave it out');
  return table;
}

function checkAnswer(route: string, status: number, value: unknown): ResponseDescription {
  if (value === null) return {};
  const answer = (isSchema(value) ? { body: value } : value) as ResponseDescription;
  const isAnswer = typeof answer === 'object' && (answer.body === undefined || isSchema(answer.body));
  if (!isAnswer) {
    throw invalid(
      route,
      `has no schema for ${status}; give a Standard Schema, { body, headers }, or null for no body`,
    );
  }
  const hasBody = answer.body !== undefined || answer.contentType !== undefined;
  if (hasBody && isBodiless(status)) {
    throw invalid(route, `gives ${status} a body, which HTTP does not allow; write ${status}: null`);
  }
  if (answer.body !== undefined && answer.contentType !== undefined) {
    throw invalid(
      route,
      `gives ${status} a schema and a contentType; leave out contentType for JSON, else body`,
    );
  }
  return answer;
}

function invalid(route: string, problem: string): ConfigError {
  return new ConfigError('FW_ROUTE_RETURNS', `'returns' of ${route} ${problem}`);
}

/** The handler, with everything that it returns checked and parsed. */
export function withAnswers<Rest extends readonly unknown[]>(
  route: string,
  table: AnswerTable,
  handler: (ctx: Context, ...rest: Rest) => unknown,
): (ctx: Context, ...rest: Rest) => HandlerResult | Promise<HandlerResult> {
  const checker = new AnswerChecker(route, table);
  return function answerAsDeclared(ctx, ...rest) {
    ctx.isDescribed = true;
    const failed = (error: unknown): never => {
      ctx.isDescribed = false;
      throw error;
    };
    try {
      const result = handler(ctx, ...rest);
      if (!isPromise(result)) return checker.response(ctx, result);
      return toChainable(result).then((value) => checker.response(ctx, value), failed);
    } catch (error) {
      return failed(error);
    }
  };
}

class AnswerChecker {
  readonly #route: string;
  readonly #table: AnswerTable;
  /** The status of plain values; undefined if there is no single one. */
  readonly #plainStatus: number | undefined;

  constructor(route: string, table: AnswerTable) {
    this.#route = route;
    this.#table = table;
    const successes = [...table.keys()].filter((status) => status < 300);
    this.#plainStatus = table.has(200) ? 200 : successes.length === 1 ? successes[0] : undefined;
  }

  /** @throws Error, which is answered 500, if the value is not what the route declares. */
  response(ctx: Context, value: unknown): HandlerResult | Promise<HandlerResult> {
    try {
      return this.#checked(ctx, value);
    } catch (error) {
      // Only what is not checked, and refused at once, has a stream.
      endUnsent(value);
      throw error;
    }
  }

  #checked(ctx: Context, value: unknown): HandlerResult | Promise<HandlerResult> {
    // The answer is given already, because the time is up: this one is dropped.
    if (!ctx.isDescribed) return value as HandlerResult;
    ctx.isDescribed = false;
    // As if it had been thrown.
    if (value instanceof Error) throw value;
    if (value instanceof FwResponse) return this.#ofResponse(ctx.queuedStatus ?? value.status, value);
    if (isWebResponse(value)) return this.#asItIs(ctx.queuedStatus ?? value.status, value);
    return this.#ofValue(ctx, value);
  }

  #ofValue(ctx: Context, value: unknown): FwResponse | Promise<FwResponse> {
    // A schema of objects would take it for one.
    refuseStream(value);
    const status = ctx.queuedStatus ?? this.#plainStatus;
    if (status === undefined) {
      throw new Error(
        `${this.#route} returned a plain value, and declares ${this.#declared()}: say which with ctx.json(value, status)`,
      );
    }
    return this.#ofPlain(status, this.#answer(status), value);
  }

  #ofResponse(status: number, response: FwResponse): FwResponse | Promise<FwResponse> {
    const held = response.unwritten;
    const { body } = this.#answer(status);
    if (body === undefined || held === undefined) return this.#asItIs(status, response);
    return chained(check(body, held.value, this.#reject(status)), (parsed) => response.writeJson(parsed));
  }

  /** A response that is not JSON of `ctx.json`: text, bytes, a stream, a web Response. */
  #asItIs<Sent extends FwResponse | Response>(status: number, response: Sent): Sent {
    const { body, contentType } = this.#answer(status);
    if (body !== undefined) {
      throw new Error(
        `${this.#route} answered ${status} with a response that its schema cannot check; return ctx.json(value, ${status})`,
      );
    }
    const isEmpty =
      response instanceof FwResponse
        ? response.stream === undefined && response.content.length === 0
        : response.body === null;
    if (contentType === undefined && !isEmpty) throw this.#unexpectedBody(status);
    return response;
  }

  #ofPlain(
    status: number,
    { body, contentType }: ResponseDescription,
    value: unknown,
  ): FwResponse | Promise<FwResponse> {
    if (body !== undefined) {
      return chained(check(body, value, this.#reject(status)), (parsed) => FwResponse.json(parsed, status));
    }
    if (contentType === undefined) {
      if (value !== undefined && value !== null) throw this.#unexpectedBody(status);
      return new FwResponse('', status, undefined);
    }
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
      throw new Error(
        `${this.#route} answered ${status} with ${kindOf(value)}; ${contentType} takes a string or bytes`,
      );
    }
    return new FwResponse(value, status, contentType);
  }

  #answer(status: number): ResponseDescription {
    const answer = this.#table.get(status);
    if (answer !== undefined) return answer;
    throw new Error(
      `${this.#route} answered ${status}, and declares ${this.#declared()}; add it to 'returns'`,
    );
  }

  #declared(): string {
    return [...this.#table.keys()].join(', ');
  }

  #unexpectedBody(status: number): Error {
    return new Error(
      `${this.#route} answered ${status} with a body, and declares none; give it a schema in 'returns'`,
    );
  }

  #reject(status: number): (issues: Issues) => Error {
    return (issues) => {
      const { message } = rejection(issues, { field: '', whole: 'body' }, 'ValidationError');
      return new Error(`${this.#route} answered ${status} with a body that its schema refuses: ${message}`);
    };
  }
}
