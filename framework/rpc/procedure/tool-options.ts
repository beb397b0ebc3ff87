// RPC: a procedure as a tool of the Model Context Protocol, as it is registered.
import { ConfigError } from '../../config-error.js';
import { checkOptions } from '../../options/check.js';
import { filled, flag, matching, milliseconds, type Rules, whole } from '../../options/rules.js';
import { kindOf } from '../../options/shown.js';
import type { ProcedureKind } from '../../wire/wire-type.js';

/** What a model is told about a procedure, and what holds for its calls. All of it is optional. */
export interface McpToolOptions {
  /** The name for people. */
  readonly title?: string;
  /** What the tool does, for the model; by default the description of the procedure. */
  readonly description?: string;
  /** Of a mutation: whether it may remove or overwrite something. Models take it for true if it is not given. */
  readonly destructive?: boolean;
  /** Of a mutation: whether calling it again with the same input changes nothing more. */
  readonly idempotent?: boolean;
  /** Whether it reaches what is outside of this application, such as the web. */
  readonly openWorld?: boolean;
  /** A question for the person who uses the client, without whose consent the procedure does not run. */
  readonly confirm?: string;
  /**
   * Of a query: the URI under which its result is a resource too, such as `tasks://all`; with fields of the input in
   * braces, such as `tasks://{id}`, a template (RFC 6570, level 1).
   */
  readonly resource?: string;
  /** Of a query that is a resource: the subscription, with the same input, whose events say that it has changed. */
  readonly updates?: string;
  /** Of a query: whether it is a prompt, which a person chooses, instead of a tool; it returns the text. */
  readonly prompt?: boolean;
  /** How long a call may take, in milliseconds; by default that of the mount. */
  readonly timeout?: number;
  /** The longest result, in bytes; by default that of the mount. */
  readonly maxResultSize?: number;
}

/** A scheme, then anything but white space and braces that are not pairs around a name (RFC 3986, section 3.1). */
const URI = /^[a-z][a-z0-9+.-]*:(?:[^\s{}]|\{[A-Za-z_][A-Za-z0-9_]*\})+$/;

const RULES: Rules<McpToolOptions> = {
  title: filled,
  description: filled,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
  confirm: filled,
  resource: matching(URI, "a URI such as 'tasks://all', or 'tasks://{id}' with a field of the input"),
  updates: filled,
  prompt: flag,
  timeout: milliseconds(1),
  maxResultSize: whole(1),
};

/**
 * The option `mcp` of a procedure: undefined if it was not given, false if it is not a tool.
 *
 * @throws ConfigError if it is neither a boolean nor such options, or an option has no effect for the kind
 */
export function readTool(who: string, kind: ProcedureKind, mcp: unknown): McpToolOptions | false | undefined {
  if (mcp === undefined || mcp === false) return mcp;
  if (mcp === true) return {};
  if (typeof mcp !== 'object' || mcp === null) {
    throw new ConfigError(
      'FW_OPTION_TYPE',
      `${who}: mcp is ${kindOf(mcp)}; give true, or options such as { title: 'List tasks' }`,
    );
  }
  const given = checkOptions(`the option 'mcp' of ${who}`, mcp as McpToolOptions, RULES);
  const wrong = uselessIn(kind, given);
  if (wrong === undefined) return given;
  throw new ConfigError('FW_OPTION_UNKNOWN', `the option 'mcp' of ${who}: ${wrong}`);
}

function uselessIn(kind: ProcedureKind, given: McpToolOptions): string | undefined {
  if (kind !== 'mutation') {
    const name = (['destructive', 'idempotent'] as const).find((one) => given[one] !== undefined);
    if (name !== undefined) return `'${name}' is for mutations; a ${kind} changes nothing; leave it out`;
  }
  if (kind !== 'query' && given.resource !== undefined)
    return `'resource' is for queries; make the ${kind} a query, or leave it out`;
  if (kind !== 'query' && given.prompt === true)
    return `'prompt' is for queries; make the ${kind} a query, or leave it out`;
  if (given.updates !== undefined && given.resource === undefined)
    return `'updates' is for a query with 'resource'; give both`;
  return undefined;
}
