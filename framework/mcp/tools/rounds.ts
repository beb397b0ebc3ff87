// MCP: what a call asks its client for while it runs (2026-07-28, "Multi Round-Trip Requests"). The server keeps nothing:
// it answers with its questions, and the client repeats the call with the answers. Those of earlier rounds are in a
// state that the client sends back, which only this server can have made.
import type { Context } from '../../context/context.js';
import { FwError, isThrown } from '../../http/errors.js';
import { checkValue } from '../../options/check.js';
import { filled, isPlain, type Rule } from '../../options/rules.js';
import {
  CODE,
  isRecord,
  McpError,
  type McpInputRequest,
  McpInputRequired,
  type McpProgress,
  type McpSchema,
  type McpToolResult,
} from '../protocol/messages.js';
import type { McpCaller } from '../protocol/source.js';
import type { StateSeal } from './state-seal.js';

const SCHEMA: Rule = {
  takes: "a JSON Schema of an object, such as { type: 'object', properties: {} }",
  fault: (value) => (isPlain(value) ? undefined : { code: 'FW_OPTION_TYPE' }),
};

type Answers = Readonly<Record<string, unknown>>;

/** The requests that calls are running for. */
const running = new WeakMap<Context, Rounds>();

/** Thrown by a call that needs answers; what runs it sends the questions. */
class InputNeeded extends Error {
  readonly requests: Readonly<Record<string, McpInputRequest>>;

  constructor(requests: Readonly<Record<string, McpInputRequest>>) {
    super('the client is asked for input; let this error pass');
    this.requests = requests;
  }
}

/** A client that cannot be asked: the error for the model, or for the client. */
export class CannotAsk extends Error {}

/** Whether an error of a call is for what runs it, and not for the model. */
export function isOfRounds(error: unknown): boolean {
  return isThrown(error, InputNeeded) || isThrown(error, McpError);
}

export class Rounds {
  readonly #caller: McpCaller<Context>;
  readonly #answers: Answers;

  constructor(caller: McpCaller<Context>, answers: Answers) {
    this.#caller = caller;
    this.#answers = answers;
  }

  get capabilities(): Answers {
    return this.#caller.era === 'legacy' ? {} : this.#caller.capabilities;
  }

  report(progress: McpProgress): void {
    this.#caller.report?.(progress);
  }

  /** @throws InputNeeded without all answers, CannotAsk or McpError if the client cannot be asked */
  ask<Key extends string>(requests: Readonly<Record<Key, McpInputRequest>>): Record<Key, unknown> {
    const missing = Object.entries<McpInputRequest>(requests).filter(
      ([key, request]) => !isAnswer(request, this.#answers[key]),
    );
    if (missing.length === 0)
      return Object.fromEntries(Object.keys(requests).map((key) => [key, this.#answers[key]])) as never;
    for (const [, request] of missing) this.#assertAble(request);
    throw new InputNeeded(Object.fromEntries(missing));
  }

  #assertAble(request: McpInputRequest): void {
    const { era, capabilities } = this.#caller;
    if (era === 'legacy')
      throw new CannotAsk(
        'This asks the client for input, which needs protocol 2026-07-28. Nothing was done.',
      );
    const required = requiredFor(request);
    if (isAble(required, capabilities)) return;
    throw new McpError(
      CODE.missingCapability,
      `this needs a client with the capability ${JSON.stringify(required)}`,
      {
        data: { requiredCapabilities: required },
        status: 400,
      },
    );
  }
}

/**
 * Runs a call in which `requestInput` works.
 *
 * @param about what the state is good for: the tool and its input
 * @returns the result, or the questions
 * @throws McpError if the state is not one that this server has made for the same call
 */
export async function inRounds<Result>(
  caller: McpCaller<Context>,
  seal: StateSeal,
  about: readonly unknown[],
  run: (rounds: Rounds) => Result | Promise<Result>,
): Promise<Result | McpInputRequired> {
  const { ctx, requestState, inputResponses } = caller;
  const subject = (): string => subjectOf([...about, ctx.principal()?.id ?? null]);
  const earlier = requestState === undefined ? {} : await seal.open(requestState, subject());
  if (earlier === undefined)
    throw new McpError(CODE.invalidParams, 'Invalid params: requestState is not valid, or too old');
  const answers: Answers = { ...earlier, ...inputResponses };
  const rounds = new Rounds(caller, answers);
  running.set(ctx, rounds);
  try {
    return await run(rounds);
  } catch (error) {
    if (!isThrown(error, InputNeeded)) throw error;
    return new McpInputRequired(error.requests, await seal.close(answers, subject()));
  }
}

/** @throws McpError for an input that is nested too deeply to be written as JSON */
function subjectOf(about: readonly unknown[]): string {
  try {
    return JSON.stringify(about);
  } catch (error) {
    if (error instanceof RangeError)
      throw new McpError(CODE.invalidParams, 'the arguments are nested too deeply');
    throw error;
  }
}

/**
 * Asks the client of a tool, and resolves to its answers. The procedure ends with an error that must pass, and runs from
 * its beginning again when the client has answered: ask before something is changed.
 *
 * ```ts
 * const { reason } = requestInput(ctx, { reason: { method: 'elicitation/create', params: { … } } });
 * ```
 *
 * @throws FwError 428 if the call did not come over MCP, McpError -32021 if the client cannot be asked for this
 */
export function requestInput<Key extends string>(
  ctx: Context,
  requests: Readonly<Record<Key, McpInputRequest>>,
): Record<Key, unknown> {
  const rounds = running.get(ctx);
  if (rounds === undefined)
    throw FwError.preconditionRequired('this asks a person, so that it can only be called over MCP');
  return rounds.ask(requests);
}

/**
 * What the client of a tool can be asked for, such as `{ elicitation: {} }`; undefined if the call did not come over MCP.
 * A client of a revision before 2026-07-28 can be asked for nothing.
 */
export function clientCapabilities(ctx: Context): Readonly<Record<string, unknown>> | undefined {
  return running.get(ctx)?.capabilities;
}

/**
 * Tells the client of a tool how far the call is, if it wants to know. Has no effect if the call came another way.
 *
 * ```ts
 * reportProgress(ctx, { progress: 3, total: 10, message: 'third file' });
 * ```
 *
 * @param progress grows with each report; one that does not is dropped
 */
export function reportProgress(ctx: Context, progress: McpProgress): void {
  running.get(ctx)?.report(progress);
}

/**
 * A question for the person who uses the client.
 *
 * @param schema of the answer: a JSON Schema of an object, whose fields are texts, numbers, booleans or one of some texts
 * @throws ConfigError if the question is empty, or the schema is not an object
 */
export function elicitation(message: string, schema: McpSchema): McpInputRequest {
  checkValue('elicitation', 'the question', message, filled);
  checkValue('elicitation', 'the schema', schema, SCHEMA);
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } };
}

/** The name of the question, and of its only field. */
const CONFIRM = 'confirm';

/** What the call leads to instead of running; undefined if the person has agreed. @throws as `Rounds.ask` */
export function refusedBy(rounds: Rounds, question: string, tool: string): McpToolResult | undefined {
  const schema = {
    type: 'object',
    properties: { [CONFIRM]: { type: 'boolean', title: 'Yes, go on', default: false } },
    required: [CONFIRM],
  };
  const answer = rounds.ask({ [CONFIRM]: elicitation(question, schema) })[CONFIRM];
  const { action, content } = isRecord(answer) ? answer : {};
  if (action === 'accept' && isRecord(content) && content[CONFIRM] === true) return undefined;
  const text = `The person did not agree that ${tool} runs. Nothing was changed.`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Whether it has the form of an answer; otherwise the question is asked again. */
function isAnswer({ method }: McpInputRequest, answer: unknown): boolean {
  if (!isRecord(answer)) return false;
  if (method === 'roots/list') return Array.isArray(answer.roots);
  if (method === 'sampling/createMessage') return answer.content !== undefined;
  const { action, content } = answer;
  return (
    action === 'decline' ||
    action === 'cancel' ||
    (action === 'accept' && (content === undefined || isRecord(content)))
  );
}

function requiredFor(request: McpInputRequest): Answers {
  if (request.method === 'roots/list') return { roots: {} };
  if (request.method === 'sampling/createMessage') return { sampling: {} };
  return { elicitation: { [request.params.mode]: {} } };
}

/** A form is what `elicitation` means without a mode (client/elicitation, "Capabilities"). */
function isAble(required: Answers, capabilities: Answers): boolean {
  if (!isRecord(required.elicitation))
    return Object.keys(required).every((name) => isRecord(capabilities[name]));
  const { elicitation } = capabilities;
  if (!isRecord(elicitation)) return false;
  if (isRecord(required.elicitation.url)) return isRecord(elicitation.url);
  return isRecord(elicitation.form) || elicitation.url === undefined;
}
