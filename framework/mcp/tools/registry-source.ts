// MCP: the procedures of a registry as tools, and queries of it as resources.
import type { Context } from '../../context/context.js';
import type { RegistryTools } from '../../rpc/registry/registry.js';
import type { ProcedureTypes, WireTypes } from '../../wire/wire-type.js';
import { CODE, McpError, type McpTool } from '../protocol/messages.js';
import type { McpCaller, McpOutcome, McpReference, McpSource } from '../protocol/source.js';
import { inputFields, RegistryPrompts, valuesOf } from './registry-prompts.js';
import { RegistryResources } from './registry-resources.js';
import { RegistryTool, type ToolLimits } from './registry-tool.js';
import { StateSeal } from './state-seal.js';
import { refusalOf } from './tool-guards.js';

/** What a mount says about its tools. */
export interface RegistrySourceOptions extends ToolLimits {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly instructions?: string | undefined;
  readonly pageSize: number;
  readonly listTtl: number;
  readonly maxListeners: number;
  readonly stateSecret?: string | undefined;
}

type Caller = McpCaller<Context>;

export class RegistrySource implements McpSource<Context> {
  readonly info: McpSource<Context>['info'];
  readonly instructions: string | undefined;
  readonly pageSize: number;
  readonly listTtl: number;
  readonly resources: RegistryResources | undefined;
  readonly prompts: RegistryPrompts | undefined;
  readonly #tools: ReadonlyMap<string, RegistryTool>;
  readonly #typesOf: () => WireTypes;
  #types: WireTypes | undefined;

  constructor({ tools, server, types }: RegistryTools, options: RegistrySourceOptions) {
    const { name, version, title, instructions, pageSize, listTtl } = options;
    this.info = { name, version, ...(title !== undefined && { title }) };
    this.instructions = instructions;
    this.pageSize = pageSize;
    this.listTtl = listTtl;
    const seal = new StateSeal(options.stateSecret);
    const all = tools.map((one) => new RegistryTool(one, server, seal, options));
    const isPrompt = ({ registered }: RegistryTool) => registered.options.prompt === true;
    this.#tools = new Map(all.filter((one) => !isPrompt(one)).map((tool) => [tool.name, tool]));
    this.#typesOf = types;
    const prompts = all.filter(isPrompt);
    if (prompts.length > 0) this.prompts = new RegistryPrompts(prompts, () => this.#known());
    const resources = new RegistryResources(all, server, options.maxListeners);
    this.resources = resources.isEmpty ? undefined : resources;
  }

  async tools({ ctx, era }: Caller): Promise<readonly McpTool[]> {
    const { procedures, named } = this.#known();
    const entries: McpTool[] = [];
    for (const tool of this.#tools.values()) {
      if ((await refusalOf(tool.guards, ctx)) !== undefined) continue;
      const described = tool.described(typesIn(procedures, tool), named, era);
      if (described !== undefined) entries.push(described);
    }
    return entries;
  }

  async call(name: string, input: unknown, caller: Caller): Promise<McpOutcome> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw unknownTool(name);
    const refusal = await refusalOf(tool.guards, caller.ctx);
    if (refusal !== undefined) throw refusal;
    return await tool.call(input, caller);
  }

  /** From the types of the arguments: those that are one of some texts. Rejects with a refusal of a guard. */
  async complete(
    reference: McpReference,
    argument: string,
    typed: string,
    { ctx }: Caller,
  ): Promise<readonly string[] | undefined> {
    const tool =
      'prompt' in reference
        ? this.prompts?.find(reference.prompt)
        : this.resources?.ofTemplate(reference.template);
    if (tool === undefined) return undefined;
    const refusal = await refusalOf(tool.guards, ctx);
    if (refusal !== undefined) throw refusal;
    const types = this.#known();
    const field = inputFields(tool.registered.procedure.name, types).find(({ name }) => name === argument);
    return field === undefined ? [] : valuesOf(field, types).filter((value) => value.startsWith(typed));
  }

  #known(): WireTypes {
    this.#types ??= this.#typesOf();
    return this.#types;
  }
}

function typesIn(procedures: Readonly<Record<string, ProcedureTypes>>, tool: RegistryTool): ProcedureTypes {
  const { name, kind } = tool.registered.procedure;
  return procedures[name] ?? { kind, input: { kind: 'unknown' }, output: { kind: 'unknown' } };
}

function unknownTool(name: string): McpError {
  return new McpError(CODE.invalidParams, `Unknown tool: ${JSON.stringify(name.slice(0, 100))}`);
}
