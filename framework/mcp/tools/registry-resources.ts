// MCP: queries as resources: by a URI, or by a template with fields of the input; and their changes, by subscriptions.

import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import { Identity, shownBeside } from '../../context/identity.js';
import type { ToolServer } from '../../rpc/registry/registry.js';
import {
  CODE,
  type McpContentBlock,
  McpError,
  type McpInputRequired,
  type McpResource,
  type McpResourceContents,
  type McpResourceTemplate,
} from '../protocol/messages.js';
import type { McpCaller, McpChanges, McpResources } from '../protocol/source.js';
import { Changes, type Watched } from './changes.js';
import type { RegistryTool } from './registry-tool.js';
import { sentError } from './sent-error.js';
import { isRefusal } from './tool-content.js';
import { refusalOf } from './tool-guards.js';
import { UriTemplate } from './uri-template.js';

type Caller = McpCaller<Context>;

interface Entry {
  readonly tool: RegistryTool;
  readonly template: UriTemplate;
  /** The subscription whose events are changes. */
  readonly updates: string | undefined;
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';

/** How many resources one client may watch; it hears which are. */
const MOST_WATCHED = 100;

export class RegistryResources implements McpResources<Context> {
  readonly #entries: readonly Entry[];
  readonly #server: ToolServer;
  readonly #maxListeners: number;
  #listeners = 0;

  /** @throws ConfigError if what a query names as `updates` is not a subscription */
  constructor(tools: readonly RegistryTool[], server: ToolServer, maxListeners: number) {
    this.#server = server;
    this.#maxListeners = maxListeners;
    this.#entries = tools.flatMap((tool) => {
      const { options, procedure } = tool.registered;
      const { resource, updates } = options;
      if (resource === undefined) return [];
      if (updates !== undefined && !server.subscriptions.has(updates)) {
        throw new ConfigError(
          'FW_OPTION_CHOICE',
          `the option 'mcp' of query('${procedure.name}'): updates names '${updates}', which is not a subscription of this registry`,
        );
      }
      return [{ tool, template: new UriTemplate(resource), updates }];
    });
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  async list({ ctx }: Caller): Promise<readonly McpResource[]> {
    const all = await this.#allowed(ctx, (one) => one.template.isFixed);
    return all.map(({ tool, template }) => ({ uri: template.source, ...about(tool) }));
  }

  async templates({ ctx }: Caller): Promise<readonly McpResourceTemplate[]> {
    const all = await this.#allowed(ctx, (one) => !one.template.isFixed);
    return all.map(({ tool, template }) => ({ uriTemplate: template.source, ...about(tool) }));
  }

  /** Rejects with a refusal of a guard, and with an McpError for the error of the query. */
  async read(
    uri: string,
    caller: Caller,
  ): Promise<readonly McpResourceContents[] | McpInputRequired | undefined> {
    const found = this.#find(uri);
    if (found === undefined) return undefined;
    const { tool, input } = found;
    const refusal = await refusalOf(tool.guards, caller.ctx);
    if (refusal !== undefined) throw refusal;
    return await tool.read(input, caller, (result) => {
      const { content, isError } = tool.contentOf(result);
      const [first] = content;
      if (isError && first?.type === 'text') throw new McpError(CODE.invalidParams, first.text);
      return content.map((block) =>
        contentsOf(uri, block, typeof result === 'string' ? TEXT_TYPE : JSON_TYPE),
      );
    });
  }

  watchable(uris: readonly string[]): readonly string[] {
    return [...new Set(uris)].filter((uri) => this.#find(uri)?.updates !== undefined).slice(0, MOST_WATCHED);
  }

  /** Rejects with a refusal of a guard, and with an McpError for the error of a subscription. */
  async watch(uris: readonly string[], caller: Caller): Promise<McpChanges> {
    if (this.#listeners >= this.#maxListeners) {
      throw new McpError(CODE.internalError, `${this.#maxListeners} clients listen already; try again later`);
    }
    this.#listeners += 1;
    const opened: Watched[] = [];
    const release = (): void => {
      this.#listeners -= 1;
    };
    try {
      for (const uri of uris) opened.push(await this.#open(uri, caller));
    } catch (error) {
      for (const { run } of opened) void run.end();
      release();
      throw error;
    }
    const changes = new Changes(opened, release);
    const { signal } = caller;
    if (signal.aborted) changes.end();
    else signal.addEventListener('abort', changes.end, { once: true });
    return changes;
  }

  async #open(uri: string, { ctx, signal }: Caller): Promise<Watched> {
    const found = this.#find(uri);
    const subscription = this.#server.subscriptions.get(found?.updates ?? '');
    if (found === undefined || subscription === undefined) throw new Error(`${uri} cannot be watched`);
    // What one of them accepts lets nobody into another one; the stream of all ends when it does not hold any more.
    const own = ctx.apart();
    const refusal = await refusalOf(found.tool.guards, own);
    if (refusal !== undefined) throw refusal;
    const failure = (error: unknown): Error => {
      const { code, message, data } = sentError(error, subscription.name, ctx);
      return new McpError(code, message, { data });
    };
    try {
      const run = await subscription.open(found.input, { ctx: own, signal });
      const shown = shownBeside(own.identity, ctx.identity);
      if (shown.length > 0) ctx.identity ??= new Identity();
      ctx.identity?.credentials.push(...shown);
      return { uri, run, failure };
    } catch (error) {
      throw isRefusal(error) ? error : failure(error);
    }
  }

  ofTemplate(source: string): RegistryTool | undefined {
    return this.#entries.find(({ template }) => template.source === source)?.tool;
  }

  #find(uri: string): (Entry & { readonly input: Record<string, string> | undefined }) | undefined {
    for (const entry of this.#entries) {
      const input = entry.template.match(uri);
      if (input !== undefined) return { ...entry, input: entry.template.isFixed ? undefined : input };
    }
    return undefined;
  }

  async #allowed(ctx: Context, isListed: (entry: Entry) => boolean): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const entry of this.#entries.filter(isListed)) {
      if ((await refusalOf(entry.tool.guards, ctx)) === undefined) found.push(entry);
    }
    return found;
  }
}

function about({ name, registered }: RegistryTool): Omit<McpResource, 'uri'> {
  const { options, procedure } = registered;
  const description = options.description ?? procedure.notes.description;
  return {
    name,
    ...(options.title !== undefined && { title: options.title }),
    ...(description !== undefined && { description }),
    mimeType: JSON_TYPE,
  };
}

function contentsOf(uri: string, block: McpContentBlock, type: string): McpResourceContents {
  switch (block.type) {
    case 'text':
      return { uri, mimeType: type, text: block.text };
    case 'resource':
      return block.resource;
    case 'resource_link':
      return { uri: block.uri, mimeType: TEXT_TYPE, text: block.name };
    default:
      return { uri, mimeType: block.mimeType, blob: block.data };
  }
}
