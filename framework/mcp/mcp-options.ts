// MCP: the options of `app.mountMcp`.
import { checkOptions } from '../options/check.js';
import { filled, listOf, matching, milliseconds, origin, type Rules, whole } from '../options/rules.js';

/** Options of `app.mountMcp`. All of them may be left out. */
export interface McpOptions {
  /** The name of the server, for clients; `app` by default. */
  readonly name?: string;
  /** The version of the server; `0.0.0` by default. */
  readonly version?: string;
  /** The name for people. */
  readonly title?: string;
  /** What a model should know before it uses the tools. */
  readonly instructions?: string;
  /** Origins of web pages that may call the server, such as `https://agent.example`. Others than of this machine may not. */
  readonly origins?: readonly string[];
  /** How many entries a page of a list has; 50 by default. */
  readonly pageSize?: number;
  /** How long clients may keep a list of tools or resources, in milliseconds; 60,000 by default. */
  readonly listTtl?: number;
  /** How long a call may take, in milliseconds; 60,000 by default. */
  readonly timeout?: number;
  /** The longest result, in bytes; 262,144 by default, which is about 65,000 tokens. */
  readonly maxResultSize?: number;
  /** The longest message of a client, in bytes; 1,048,576 by default. */
  readonly maxBodySize?: number;
  /** How many events of a subscription one call waits for; 100 by default. */
  readonly maxEvents?: number;
  /**
   * Signs the state of calls that ask the client for input, 32 characters or more; the same in all processes. Without
   * one, only the process that has asked can take the answer.
   */
  readonly stateSecret?: string;
  /** How many clients of a process may listen to changes of resources at a time; 1,000 by default. */
  readonly maxListeners?: number;
}

const RULES: Rules<McpOptions> = {
  name: filled,
  version: filled,
  title: filled,
  instructions: filled,
  origins: listOf(origin),
  pageSize: whole(1),
  listTtl: whole(0),
  timeout: milliseconds(1),
  maxResultSize: whole(1),
  maxBodySize: whole(1),
  maxEvents: whole(1),
  maxListeners: whole(1),
  stateSecret: { ...matching(/^.{32,}$/s, 'a secret of 32 characters or more'), isSecret: true },
};

const DEFAULTS = {
  name: 'app',
  version: '0.0.0',
  origins: [],
  pageSize: 50,
  listTtl: 60_000,
  timeout: 60_000,
  maxResultSize: 262_144,
  maxBodySize: 1_048_576,
  maxEvents: 100,
  maxListeners: 1000,
} as const;

/** The options with those that were left out. */
export type AllMcpOptions = McpOptions & Required<Omit<McpOptions, 'title' | 'instructions' | 'stateSecret'>>;

/** @throws ConfigError if an option is unknown, or a value is not of its kind */
export function readMcpOptions(who: string, options: McpOptions): AllMcpOptions {
  const given = checkOptions(who, options, RULES);
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(set) };
}
