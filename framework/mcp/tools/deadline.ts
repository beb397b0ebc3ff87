// MCP: the time that a call has. Signal and timer are made only for calls that need them.
import type { Context } from '../../context/context.js';
import { endUnsent } from '../../http/end-unsent.js';
import { RpcCall } from '../../rpc/procedure/call.js';
import type { ErrorDeclarations, NoErrors, RpcErrors } from '../../rpc/protocol/error-declarations.js';
import type { McpCaller } from '../protocol/source.js';

/** What a call gets instead of a result at the end of its time. */
export class TimedOut {}

export class Deadline {
  readonly #caller: McpCaller<Context>;
  readonly #ms: number;
  #controller: AbortController | undefined;
  #isOver = false;
  #signal: AbortSignal | undefined;

  constructor(caller: McpCaller<Context>, ms: number) {
    this.#caller = caller;
    this.#ms = ms;
  }

  /** Aborts when the client leaves, and at the end of the time. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // A procedure may ask for it when its time is over.
      if (this.#isOver) this.#abort();
    }
    this.#signal ??= AbortSignal.any([this.#caller.signal, this.#controller.signal]);
    return this.#signal;
  }

  /** The result; `TimedOut` at the end of the time, when the signal aborts. */
  async within<Result>(result: PromiseLike<Result>): Promise<Result | TimedOut> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<TimedOut>((resolve) => {
      timer = setTimeout(() => {
        resolve(new TimedOut());
        this.#isOver = true;
        this.#abort();
        // A result that comes too late is not sent, and its error has nobody to go to.
        result.then(endUnsent, () => {});
      }, this.#ms);
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #abort(): void {
    this.#controller?.abort(new DOMException('the tool took too long', 'TimeoutError'));
  }
}

/** The call of a tool: as any other of the procedure, with a signal that also ends with the time. */
export class ToolCall<Errors extends ErrorDeclarations = NoErrors> extends RpcCall<Errors> {
  readonly #deadline: Deadline;

  constructor(ctx: Context | undefined, deadline: Deadline, errors?: RpcErrors<NoErrors>) {
    super(ctx, undefined, errors);
    this.#deadline = deadline;
  }

  override get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  protected override copy(errors: RpcErrors<NoErrors>): ToolCall {
    return new ToolCall(this.maybeCtx, this.#deadline, errors);
  }
}
