// MCP: queries as prompts: texts that a person chooses for a conversation.
import type { Context } from '../../context/context.js';
import { resultText } from '../../rpc/procedure/result-text.js';
import { lookupIn, resolve } from '../../wire/resolve.js';
import { membersOf, withoutVoid } from '../../wire/union-of.js';
import type { WireField, WireTypes } from '../../wire/wire-type.js';
import {
  isRecord,
  type McpInputRequired,
  type McpPrompt,
  type McpPromptMessage,
} from '../protocol/messages.js';
import type { McpCaller, McpPrompts } from '../protocol/source.js';
import type { RegistryTool } from './registry-tool.js';
import { ToolContent } from './tool-content.js';
import { refusalOf } from './tool-guards.js';

type Caller = McpCaller<Context>;

export class RegistryPrompts implements McpPrompts<Context> {
  readonly #prompts: ReadonlyMap<string, RegistryTool>;
  readonly #types: () => WireTypes;

  constructor(prompts: readonly RegistryTool[], types: () => WireTypes) {
    this.#prompts = new Map(prompts.map((one) => [one.name, one]));
    this.#types = types;
  }

  async list({ ctx }: Caller): Promise<readonly McpPrompt[]> {
    const entries: McpPrompt[] = [];
    for (const prompt of this.#prompts.values()) {
      if ((await refusalOf(prompt.guards, ctx)) === undefined) entries.push(this.#described(prompt));
    }
    return entries;
  }

  /** Rejects with a refusal of a guard, and with an McpError for the error of the query. */
  async get(
    name: string,
    input: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<readonly McpPromptMessage[] | McpInputRequired | undefined> {
    const prompt = this.#prompts.get(name);
    if (prompt === undefined) return undefined;
    const refusal = await refusalOf(prompt.guards, caller.ctx);
    if (refusal !== undefined) throw refusal;
    return await prompt.read(input, caller, (result) => messagesOf(name, result));
  }

  find(name: string): RegistryTool | undefined {
    return this.#prompts.get(name);
  }

  #described(prompt: RegistryTool): McpPrompt {
    const { name, registered } = prompt;
    const { options, procedure } = registered;
    const fields = inputFields(procedure.name, this.#types());
    const description = options.description ?? procedure.notes.description;
    return {
      name,
      ...(options.title !== undefined && { title: options.title }),
      ...(description !== undefined && { description }),
      ...(fields.length > 0 && {
        arguments: fields.map((field) => ({
          name: field.name,
          ...(field.description !== undefined && { description: field.description }),
          ...(!field.isOptional && { required: true as const }),
        })),
      }),
    };
  }
}

/** The fields of the input of a procedure; none if it is not an object. */
export function inputFields(procedure: string, { procedures, named }: WireTypes): readonly WireField[] {
  const input = procedures[procedure]?.input ?? { kind: 'unknown' };
  const type = resolve(withoutVoid(input), lookupIn(named));
  return type?.kind === 'object' ? type.fields : [];
}

/** The values of a field that has only some. */
export function valuesOf({ type }: WireField, { named }: WireTypes): readonly string[] {
  const known = resolve(withoutVoid(type), lookupIn(named));
  if (known?.kind === 'boolean') return ['true', 'false'];
  const members = known?.kind === 'union' ? membersOf(known) : [];
  return (known?.kind === 'literal' ? [known] : members).flatMap((one) =>
    one.kind === 'literal' ? [String(one.value)] : [],
  );
}

/** A text, blocks, messages, or any other value as its JSON. */
function messagesOf(name: string, result: unknown): readonly McpPromptMessage[] {
  if (result instanceof ToolContent) return result.blocks.map((content) => ({ role: 'user', content }));
  if (Array.isArray(result) && result.length > 0 && result.every(isMessage)) return result;
  const text = typeof result === 'string' ? result : resultText(name, result);
  return [{ role: 'user', content: { type: 'text', text } }];
}

function isMessage(value: unknown): value is McpPromptMessage {
  if (!isRecord(value) || !isRecord(value.content)) return false;
  return (value.role === 'user' || value.role === 'assistant') && typeof value.content.type === 'string';
}
