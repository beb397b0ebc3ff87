// What the page about the app gets about the app itself: a part of the protocol.
import type { SourcePlace } from './protocol.js';

export interface AppInfo {
  /** False for other servers than those of `fw`: then the lists of the app are empty. */
  readonly isKnown: boolean;
  readonly routes: readonly RouteInfo[];
  /** Of the Apps from the outside in, each in the order of registration. */
  readonly middleware: readonly MiddlewareInfo[];
  readonly settings: readonly SettingInfo[];
  readonly procedures: readonly ProcedureInfo[];
  /** Since the last commit; undefined without Git or a contract. */
  readonly contractChanges?: readonly ContractChange[];
  readonly environment: readonly EnvironmentInfo[];
  readonly config: readonly ConfigInfo[];
}

export interface RouteInfo {
  /** `*` for all methods, `WEBSOCKET`, or that of HTTP. */
  readonly method: string;
  readonly path: string;
  /** The name of the handler, or an empty text. */
  readonly handler: string;
  /** What runs before the handler, in order. */
  readonly extractors: readonly string[];
  /** Who may call it, such as `signed in` or `scopes: admin`; empty if everybody. */
  readonly guards: readonly string[];
  readonly middleware: readonly StepInfo[];
  readonly summary?: string;
  readonly deprecated?: true;
  readonly isHidden?: true;
  readonly place?: SourcePlace;
}

export interface StepInfo {
  /** Empty for a function without one, which its place stands for. */
  readonly name: string;
  readonly place?: SourcePlace;
}

export interface MiddlewareInfo extends StepInfo {
  /** Where its App is mounted; `/` for the outermost. */
  readonly below: string;
}

export interface SettingInfo {
  /** As in the API, such as `maxBodySize`. */
  readonly name: string;
  readonly value: string;
  /** Undefined if it is the default. */
  readonly place?: SourcePlace;
}

export interface ProcedureInfo {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** In TypeScript. */
  readonly input: string;
  readonly output: string;
  /** Where the types come from. */
  readonly types: 'schema' | 'text' | 'contract';
  /** An input of its type, as a value of JSON; undefined if it has none. */
  readonly example?: unknown;
  readonly method: string;
  /** Where it is mounted; all procedures of JSON-RPC have the same one. */
  readonly path: string;
  /** `mcp` for a tool, which has the name that models call it by. */
  readonly protocol: 'json-rpc' | 'rest' | 'mcp';
  readonly guards: readonly string[];
  readonly place?: SourcePlace;
}

export interface ContractChange {
  readonly procedure: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly isBreaking: boolean;
  /** What changed, a line each. */
  readonly lines: readonly string[];
}

export interface EnvironmentInfo {
  readonly name: string;
  /** Masked where its name or form says that it is secret; of an address only the password. Undefined if it is not set. */
  readonly value?: string;
  readonly from?: 'shell' | '.env' | 'fw dev';
  /** Undefined if nobody has read it since the app was started. */
  readonly readBy?: 'app' | 'package';
  /** Where the app has read it. */
  readonly place?: SourcePlace;
}

export interface ConfigInfo {
  /** Such as `project.backend_port`. */
  readonly key: string;
  readonly value: string;
  /** Undefined if it is the default. */
  readonly place?: SourcePlace;
}

// ---- Charts

export interface ChartInfo {
  /** When `fw dev` was started, in milliseconds since 1970. */
  readonly since: number;
  /** How many seconds each point is for. */
  readonly width: number;
  /** In the order of time; there is none for seconds in which nothing was answered while no page was open. */
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  /** When it begins, in milliseconds since 1970. */
  readonly at: number;
  readonly requests: number;
  /** Answered with 500 or more. */
  readonly failed: number;
  /** Calls of RPC that were answered with an error, which are counted only while a page is open. */
  readonly failedCalls: number;
  /** In milliseconds; undefined without a request. Event streams are left out. */
  readonly p50?: number;
  readonly p95?: number;
  /** The longest that the event loop did not run, in milliseconds; undefined while no page was open. */
  readonly delayMs?: number;
  /** Bytes of the heap that are used. */
  readonly heap: number;
}
