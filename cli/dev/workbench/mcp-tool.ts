// MCP of `fw dev`: one tool: what it takes, and how what a model gives is checked.
import type { McpSchema, McpTool } from '../../../framework/mcp/protocol/messages.js';
import { nearest } from '../../../framework/options/nearest.js';
import type { DevFacts } from './mcp-facts.js';

/** What is wrong with a call, for the model: it names the value, and what to do. */
export class ToolProblem extends Error {}

interface Parameter {
  readonly type: 'string' | 'integer' | 'boolean' | 'object';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isRequired?: true;
}

type Parameters = Readonly<Record<string, Parameter>>;

export interface DevTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Undefined if it only reads. */
  readonly changes?: 'something' | 'what cannot be undone';
  /** Whether it works while no `fw dev` runs. */
  readonly worksAlone?: true;
  /** @throws ToolProblem, and what the facts throw */
  run(given: Given, facts: DevFacts, signal: AbortSignal): string | Promise<string>;
}

/** As it is listed. */
export function listed({ name, description, parameters, changes }: DevTool): McpTool {
  return {
    name,
    description,
    inputSchema: schemaOf(parameters),
    annotations: {
      readOnlyHint: changes === undefined,
      ...(changes !== undefined && { destructiveHint: changes === 'what cannot be undone' }),
      openWorldHint: false,
    },
  };
}

function schemaOf(parameters: Parameters): McpSchema {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired === true);
  const properties = Object.entries(parameters).map(([name, { isRequired: _, ...schema }]) => [name, schema]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const LONGEST_TEXT = 20_000;

/** The arguments of a call, checked. */
export class Given {
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws ToolProblem if one is unknown, missing, or of another type */
  constructor({ name: tool, parameters }: DevTool, values: unknown) {
    this.#values = (values ?? {}) as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(this.#values)) {
      if (Object.hasOwn(parameters, name)) continue;
      const known = Object.keys(parameters);
      const meant = nearest(name, known);
      const hint =
        meant === undefined ? `it takes ${known.join(', ') || 'nothing'}` : `did you mean '${meant}'?`;
      throw new ToolProblem(`${tool} has no argument ${shown(name)}; ${hint}`);
    }
    for (const [name, parameter] of Object.entries(parameters)) {
      const value = this.#values[name];
      if (value === undefined && parameter.isRequired !== true) continue;
      const problem = value === undefined ? 'is missing' : problemOf(value, parameter);
      if (problem === undefined) continue;
      throw new ToolProblem(
        `${tool}: ${name} ${problem}; give ${article(parameter)}: ${parameter.description}`,
      );
    }
  }

  text(name: string): string {
    return (this.#values[name] as string | undefined) ?? '';
  }

  whole(name: string, otherwise: number): number {
    return (this.#values[name] as number | undefined) ?? otherwise;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  value(name: string): unknown {
    return this.#values[name];
  }
}

function problemOf(value: unknown, { type, enum: choices, minimum, maximum }: Parameter): string | undefined {
  const isFine = {
    string: typeof value === 'string' && value.length <= LONGEST_TEXT,
    integer: Number.isSafeInteger(value),
    boolean: typeof value === 'boolean',
    object: typeof value === 'object' && value !== null,
  }[type];
  if (!isFine) return `is ${shown(value)}`;
  if (choices !== undefined && !choices.includes(value as string)) return `is ${shown(value)}`;
  const number = value as number;
  const isOutside = type === 'integer' && (number < (minimum ?? number) || number > (maximum ?? number));
  return isOutside ? `is ${number}` : undefined;
}

function article({ type, enum: choices, minimum, maximum }: Parameter): string {
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  return type === 'object' ? 'an object' : 'a text';
}

/** Short, and on one line. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** For parameters that several tools have. */
export const SEARCH: Parameter = { type: 'string', description: 'words that must be in it' };

export function limit(most: number, usual: number): Parameter {
  return { type: 'integer', minimum: 1, maximum: most, description: `how many to show; ${usual} by default` };
}
