// MCP: one procedure as a tool: its place in the list, and its calls.

import { noteCall, noteFailedCall } from '../../context/called.js';
import type { Context } from '../../context/context.js';
import type { ContextMiddleware } from '../../extract/context-middleware.js';
import { isThrown } from '../../http/errors.js';
import { isPromise } from '../../promises.js';
import type { RunnableProcedure } from '../../rpc/procedure/procedure.js';
import { outcomeOf } from '../../rpc/protocol/rpc-error.js';
import type { ToolServer } from '../../rpc/registry/registry.js';
import type { RegisteredTool } from '../../rpc/registry/registry-state.js';
import { Tracked } from '../../rpc/subscription/subscription-types.js';
import type { NamedTypes, ProcedureTypes } from '../../wire/wire-type.js';
import {
  CODE,
  isRecord,
  McpError,
  type McpInputRequired,
  type McpProgress,
  type McpTool,
  type McpToolResult,
} from '../protocol/messages.js';
import type { McpCaller, McpOutcome } from '../protocol/source.js';
import { Deadline, TimedOut, ToolCall } from './deadline.js';
import { CannotAsk, inRounds, isOfRounds, type Rounds, refusedBy } from './rounds.js';
import { sentError } from './sent-error.js';
import type { StateSeal } from './state-seal.js';
import { failed, type ResultForm, succeeded } from './tool-content.js';
import { guardsOf } from './tool-guards.js';
import { toolName } from './tool-name.js';
import { inputSchema, outputSchema } from './tool-schema.js';

/** Limits that a tool may have of its own. */
export interface ToolLimits {
  /** In milliseconds. */
  readonly timeout: number;
  /** In bytes. */
  readonly maxResultSize: number;
  /** How many events of a subscription a call waits for. */
  readonly maxEvents: number;
}

export class RegistryTool {
  readonly name: string;
  readonly guards: readonly ContextMiddleware[];
  readonly registered: RegisteredTool;
  readonly #server: ToolServer;
  readonly #procedure: RunnableProcedure | undefined;
  readonly #limits: ToolLimits;
  readonly #seal: StateSeal;
  /** The procedure for an input of texts, made when a resource is read. */
  #fromTexts: RunnableProcedure | undefined;

  constructor(registered: RegisteredTool, server: ToolServer, seal: StateSeal, limits: ToolLimits) {
    const { procedure, options } = registered;
    this.name = toolName(procedure.name);
    this.guards = guardsOf(registered);
    this.registered = registered;
    this.#server = server;
    this.#seal = seal;
    this.#procedure = server.procedures.get(procedure.name);
    const { timeout = limits.timeout, maxResultSize = limits.maxResultSize } = options;
    this.#limits = { ...limits, timeout, maxResultSize };
  }

  get isStream(): boolean {
    return this.registered.procedure.kind === 'subscription';
  }

  /** As it is listed; undefined if its input is not an object. */
  described(
    { input, output, description, deprecated }: ProcedureTypes,
    named: NamedTypes,
    era: McpCaller<Context>['era'],
  ): McpTool | undefined {
    const { options, procedure } = this.registered;
    const schema = inputSchema(input, named);
    if (schema === undefined) return undefined;
    const result = this.isStream ? eventsSchema(outputSchema(output, named)) : outputSchema(output, named);
    const isShown = result !== undefined && (era === 'modern' || result.type === 'object');
    const text = [options.description ?? description, deprecation(deprecated)].filter(Boolean).join('\n');
    return {
      name: this.name,
      ...(options.title !== undefined && { title: options.title }),
      ...(text !== '' && { description: text }),
      inputSchema: schema,
      ...(isShown && { outputSchema: result }),
      annotations: {
        readOnlyHint: procedure.kind !== 'mutation',
        ...(options.destructive !== undefined && { destructiveHint: options.destructive }),
        ...(options.idempotent !== undefined && { idempotentHint: options.idempotent }),
        ...(options.openWorld !== undefined && { openWorldHint: options.openWorld }),
      },
    };
  }

  /** Errors of the procedure are results for the model. @throws McpError if the client cannot be asked for input */
  async call(input: unknown, caller: McpCaller<Context>): Promise<McpOutcome> {
    return await inRounds(caller, this.#seal, [this.name, input ?? null], (rounds) =>
      this.#answer(input, caller, rounds),
    );
  }

  async #answer(input: unknown, caller: McpCaller<Context>, rounds: Rounds): Promise<McpToolResult> {
    const { ctx, era } = caller;
    const { confirm } = this.registered.options;
    const { name, place } = this.registered.procedure;
    const at = noteCall(ctx, name);
    try {
      const refused = confirm === undefined ? undefined : refusedBy(rounds, confirm, this.name);
      if (refused !== undefined) return refused;
      const ran = this.#run(input, caller);
      const result = isPromise(ran) ? await ran : ran;
      if (result instanceof TimedOut) return this.#timedOut(at, ctx);
      return succeeded(result, this.#form(era));
    } catch (error) {
      if (isOfRounds(error)) throw error;
      if (isThrown(error, CannotAsk))
        return { content: [{ type: 'text', text: error.message }], isError: true };
      const sent = sentError(error, name, ctx, place);
      noteFailedCall(ctx, at, outcomeOf(sent));
      return failed(sent);
    }
  }

  /**
   * The result in another form than that of a tool, for an input whose values are texts. Rejects with an McpError for the
   * error of the procedure, because no model reads it.
   */
  async read<Form>(
    input: unknown,
    caller: McpCaller<Context>,
    form: (result: unknown) => Form,
  ): Promise<Form | McpInputRequired> {
    return await inRounds(caller, this.#seal, [this.name, input ?? null], () =>
      this.#read(input, caller, form),
    );
  }

  async #read<Form>(
    input: unknown,
    caller: McpCaller<Context>,
    form: (result: unknown) => Form,
  ): Promise<Form> {
    const { procedure } = this.registered;
    this.#fromTexts ??= this.#server.fromTexts(procedure);
    const at = noteCall(caller.ctx, procedure.name);
    try {
      const result = await this.#run(input, caller, this.#fromTexts);
      if (!(result instanceof TimedOut)) return form(result);
      noteFailedCall(caller.ctx, at, 'timeout');
      throw new McpError(CODE.internalError, `no answer within ${this.#limits.timeout} ms`);
    } catch (error) {
      if (isOfRounds(error)) throw error;
      if (isThrown(error, CannotAsk)) throw new McpError(CODE.invalidRequest, error.message);
      const sent = sentError(error, procedure.name, caller.ctx, procedure.place);
      noteFailedCall(caller.ctx, at, outcomeOf(sent));
      const code = sent.code === CODE.internalError ? sent.code : CODE.invalidParams;
      throw new McpError(code, sent.message, { data: sent.data });
    }
  }

  /** As the content of a resource, or as that of a tool. */
  contentOf(result: unknown): McpToolResult {
    return succeeded(result, this.#form('modern'));
  }

  #form(era: McpCaller<Context>['era']): ResultForm {
    return { name: this.registered.procedure.name, era, maxSize: this.#limits.maxResultSize };
  }

  #timedOut(at: number, ctx: Context): McpToolResult {
    noteFailedCall(ctx, at, 'timeout');
    const text = `The tool has not answered within ${this.#limits.timeout} ms, and was stopped.`;
    return { content: [{ type: 'text', text }], isError: true };
  }

  /** `TimedOut` at the end of the time; the procedure learns it from its signal. */
  #run(input: unknown, caller: McpCaller<Context>, procedure = this.#procedure): unknown {
    const deadline = new Deadline(caller, this.#limits.timeout);
    if (procedure === undefined) return deadline.within(this.#events(input, caller, deadline.signal));
    const result = procedure.run(input, new ToolCall(caller.ctx, deadline));
    return isPromise(result) ? deadline.within(result) : result;
  }

  /** The events of a subscription until it ends; each is progress. */
  async #events(input: unknown, { ctx, report }: McpCaller<Context>, signal: AbortSignal): Promise<unknown> {
    const subscription = this.#server.subscriptions.get(this.registered.procedure.name);
    const run = await subscription?.open(input, { ctx, signal });
    const events: unknown[] = [];
    if (run === undefined) return { events };
    try {
      while (events.length < this.#limits.maxEvents) {
        const { done, value } = await run.next();
        if (done === true) break;
        const event = value instanceof Tracked ? value.value : value;
        events.push(event);
        report?.(progressOf(event, events.length));
      }
    } finally {
      await run.end();
    }
    return { events };
  }
}

/** An event that says how far it is, or the number of the event. */
function progressOf(event: unknown, count: number): McpProgress {
  if (isRecord(event) && typeof event.progress === 'number') {
    const { progress, total, message } = event;
    return {
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    };
  }
  return { progress: count, message: typeof event === 'string' ? event : JSON.stringify(event) };
}

function eventsSchema(event: McpTool['outputSchema'] = {}): McpTool['outputSchema'] {
  const { $defs, ...items } = event;
  return {
    type: 'object',
    properties: { events: { type: 'array', items } },
    required: ['events'],
    ...($defs !== undefined && { $defs }),
  };
}

function deprecation(deprecated: ProcedureTypes['deprecated']): string | undefined {
  if (deprecated === undefined || deprecated === false) return undefined;
  return deprecated === true ? 'Deprecated.' : `Deprecated: ${deprecated}`;
}
