// The workbench: what its page and the overlay get from `fw dev`, and what they send. All of it is JSON.
//
// GET  /_fw/                  the page; its files are below /_fw/assets/
// GET  /_fw/live.js           the script that pages of the app ask for: the overlay, and a reload after a restart
// GET  /_fw/live              text/event-stream for that script: event `state` (LiveState)
// GET  /_fw/events            text/event-stream for the page: the events of `WorkbenchEvents`
// GET  /_fw/requests          RequestSummary[], the oldest first
// GET  /_fw/requests/:id      RequestDetail
// DELETE /_fw/requests        forgets them, and the errors
// GET  /_fw/errors            ErrorGroup[], the one that happened last first
// POST /_fw/search            SearchOrder → FoundRequest[]
// GET  /_fw/kept             KeptList: what was pinned and saved, also by an earlier `fw dev`
// GET  /_fw/pins/:id         RequestDetail
// POST /_fw/pins             { request: number } → { id: number } of the pin
// DELETE /_fw/pins/:id       unpins it
// POST /_fw/saved            SavedCall without its id → { id: number }; one with the same name is replaced
// DELETE /_fw/saved/:id      removes it
// GET  /_fw/error?page=…      ErrorPage, for the script /_fw/error.js of the page that answers an error
// GET  /_fw/app               AppInfo
// GET  /_fw/charts           ChartInfo
// GET  /_fw/cycles            CycleEntry[], the oldest first
// POST /_fw/send              SendOrder → { id: number } of the new request, once it is answered
// POST /_fw/open              SourcePlace → 204; opens it in the editor
// POST /_fw/mcp               a message of the Model Context Protocol, for `fw mcp` and clients of models
//
// An error is answered as { error: string, message: string }, with a message for people.

import type { Block } from '../../manual/blocks.js';
import type { MigrationsState } from '../../process/messages.js';
import type { ChartInfo, RouteInfo } from './app-info.js';

/** A place in a source file of the app. */
export interface SourcePlace {
  /** Relative to the project, such as `src/app.ts`. */
  readonly file: string;
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Lines around a place. */
export interface CodeFrame {
  readonly place: SourcePlace;
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  /** How many characters are marked from the column on. */
  readonly length: number;
}

/** A frame of a stack. */
export interface StackFrame {
  /** As Node prints it, without the leading `at `. */
  readonly text: string;
  /** Undefined outside of the project's own sources. */
  readonly place?: SourcePlace;
}

/** An error of the app. */
export interface ShownError {
  /** `name: message`. */
  readonly title: string;
  readonly frames: readonly StackFrame[];
  /** Properties and causes, as `util.inspect` shows them; empty without any. */
  readonly details: string;
  readonly code?: CodeFrame;
  /** The frames of packages and of Node.js that were left out, as a count: `… 8 frames of packages and of Node.js`. */
  readonly folded?: string;
  /** Properties alone. */
  readonly facts?: string;
  readonly causes?: readonly ShownError[];
  /** The page of the documentation about it, such as `errors/FW_ENV`. */
  readonly docs?: string;
}

/** A page of the documentation. */
export interface DocsPageSummary {
  /** Such as `sessions` and `errors/FW_ENV`. */
  readonly name: string;
  readonly title: string;
  readonly group: string;
}

export interface DocsPage extends DocsPageSummary {
  readonly blocks: readonly Block[];
}

/** What the search of the documentation has found: the best section of a page. */
export interface DocsResult extends DocsPageSummary {
  /** Empty for the beginning of the page. */
  readonly heading: string;
  readonly slug: string;
  readonly excerpt: string;
}

/** An error that was answered, as the page shows it that a browser gets. */
export interface ErrorPage {
  readonly request: RequestDetail;
  /** What to do, in sentences. */
  readonly advice: readonly string[];
  /** Of a 404 without a route: those that there are. */
  readonly routes?: readonly Pick<RouteInfo, 'method' | 'path'>[];
  /** Of a 503 because migrations have not run. */
  readonly migrations?: MigrationsState;
}

// ---- Requests

/** A call of RPC. */
export interface CallSummary {
  /** What the client asked for, if no procedure has that name; an empty text if it asked for nothing that could be a name. */
  readonly procedure: string;
  /** `ok`, the name of the declared error, or the code of another error of JSON-RPC, such as `-32602`. */
  readonly outcome: string;
  /** What the app says of an error with a code that `fw` gives a meaning of its own. */
  readonly message?: string;
}

export interface RequestSummary {
  /** Counts up from 1 in one run of `fw dev`. */
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly method: string;
  /** The target of the request as it was sent, with its query. Secrets in the query are masked. */
  readonly target: string;
  /** `WebSocket`, the names of the procedures of an RPC call, or nothing. */
  readonly label?: string;
  /** The calls of RPC; undefined for other requests, and while it is not answered. */
  readonly calls?: readonly CallSummary[];
  /** Undefined while it is not answered. */
  readonly status?: number;
  /** Until the answer was written, in milliseconds; undefined while it is not. */
  readonly durationMs?: number;
  /** Bytes of the body of the answer, as it was sent. */
  readonly size?: number;
  /** The value of `X-Request-Id` of the answer. */
  readonly requestId?: string;
  /** The client went away before the answer was complete, or the process ended while a job ran. */
  readonly aborted?: true;
  /** Work without a request: `method` is `JOB`, and `target` the name of its span. */
  readonly isJob?: true;
  /** A job threw an error, or a callback of a WebSocket. */
  readonly hasFailed?: true;
  /** Its error has ended the process. */
  readonly hasCrashed?: true;
  /** Answered by the dev server of the frontend, such as a module of Vite. */
  readonly isOfFrontend?: true;
  /** Of a WebSocket or an event stream: how many messages have passed so far, both ways. */
  readonly messages?: number;
  /** Set if the page sent it. */
  readonly sentFrom?: number;
  /** How often the same statement has read, if that is so often that it is likely N+1. */
  readonly equalReads?: number;
}

/** What passes of a WebSocket or an event stream. */
export interface ShownMessages {
  readonly kind: 'websocket' | 'events';
  /** All that have passed. */
  readonly count: number;
  /** The last ones, the oldest first. */
  readonly messages: readonly ShownMessage[];
  /**
   * Undefined while it is open. `aborted`: the client of an event stream went away. `unwatched`: the page was closed,
   * and nothing more is recorded of it. `gone`: the process has ended.
   */
  readonly end?: 'ended' | 'aborted' | 'unwatched' | 'gone';
  /** Of a WebSocket that has ended. */
  readonly close?: { readonly code: number; readonly reason: string };
}

export interface ShownMessage {
  /** In milliseconds since the request began. */
  readonly at: number;
  /** `failed`: a callback of the app threw; the text says what, and where. */
  readonly direction: 'received' | 'sent' | 'failed';
  /** Bytes of the content, or of the data of an event. */
  readonly size: number;
  /** The begin of it; undefined of binary ones. Secrets are masked. */
  readonly text?: string;
  readonly isCut?: true;
  /** Name and id of a server-sent event, or what a message of a subscription of RPC is about. */
  readonly what?: string;
}

/** Name and value; values of secrets are masked as `••••••`. */
export type HeaderField = readonly [name: string, value: string];

export interface ShownBody {
  /** Bytes, before it was cut. */
  readonly size: number;
  /** The content type, or an empty text. */
  readonly type: string;
  /** Undefined if it is not text. Secrets are masked. At most 64 KiB. */
  readonly text?: string;
  readonly isCut?: true;
}

/** One bar of the waterfall. Times are in milliseconds since the request began. */
export interface TraceStep {
  /** `route` is the match of the path. `span` is one of `withSpan`, `outgoing` a call to another server. */
  readonly kind: 'middleware' | 'extractor' | 'handler' | 'procedure' | 'span' | 'database' | 'outgoing';
  /** The name of the function or the extractor, of the procedure, the SQL, or the method and the URL, with masked secrets. */
  readonly name: string;
  readonly start: number;
  /** Undefined if it had not ended when the request was recorded. */
  readonly end?: number;
  /** How many steps are around it. */
  readonly depth: number;
  /** The place in the list of the step that it runs in; absent for the outermost. */
  readonly parent?: number;
  /** The fields of a span, as text. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Of a statement, as text. Secrets are masked. */
  readonly parameters?: readonly string[];
  /** Of a statement: what ran it. */
  readonly place?: SourcePlace;
  /** What it threw, as `name: message`; of an error that passes through several steps, the innermost has it. */
  readonly error?: string;
  /** It threw what a step inside had thrown. */
  readonly passesError?: true;
}

export interface LogLine {
  /** In milliseconds since the request began. */
  readonly at: number;
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Of a line of `console`: what called it. */
  readonly place?: SourcePlace;
}

export interface RequestDetail extends RequestSummary {
  /** `http://` or `https://` with the host that was asked for. */
  readonly origin: string;
  /** The pattern of the route; undefined if no route matched, or the server is not one of `fw`. */
  readonly route?: string;
  readonly requestHeaders: readonly HeaderField[];
  readonly requestBody?: ShownBody;
  readonly responseHeaders: readonly HeaderField[];
  readonly responseBody?: ShownBody;
  /** In the order of their starts. Empty for other servers than those of `fw`. */
  readonly steps: readonly TraceStep[];
  readonly log: readonly LogLine[];
  /** Undefined for others than WebSockets of an App of `fw` and event streams. */
  readonly stream?: ShownMessages;
  /** What was thrown and answered as an error, or ended the process. */
  readonly error?: ShownError;
  /** What to do about the error, in sentences; undefined if nothing is known. */
  readonly advice?: readonly string[];
  /** Those of the calls of a batch, if there are several, in the order of time; `error` is one of them. */
  readonly callErrors?: readonly CallError[];
}

/** The error of one call of a batch. */
interface CallError {
  readonly procedure: string;
  readonly error: ShownError;
}

/**
 * A request to send: `from` another one, whose masked header fields and body it then uses, or from scratch: then masked
 * header fields are those of the newest request that has them.
 */
export interface SendOrder {
  readonly from?: number;
  readonly method: string;
  readonly target: string;
  /** A masked value stands for that of `from`. */
  readonly headers: readonly HeaderField[];
  /** Undefined sends the body of `from`; an empty text sends none. */
  readonly body?: string;
}

/** A request that is kept until it is unpinned, as it was shown. */
export interface PinnedRequest {
  readonly id: number;
  readonly detail: RequestDetail;
}

/** A request to send again and again. Masked values stand for those of the newest request that has such a header. */
export interface SavedCall {
  readonly id: number;
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderField[];
  /** Undefined for none. */
  readonly body?: string;
}

export interface KeptList {
  readonly pins: readonly PinnedSummary[];
  /** The oldest first. */
  readonly saved: readonly SavedCall[];
}

export interface PinnedSummary
  extends Omit<RequestSummary, 'id' | 'size' | 'requestId' | 'isOfFrontend' | 'messages' | 'sentFrom'> {
  /** Of the pin. */
  readonly id: number;
  /** The number that the request had in its run of `fw dev`. */
  readonly request: number;
}

/** Equal errors of requests, and of processes that they have ended. */
export interface ErrorGroup {
  /** Counts up from 1 in one run of `fw dev`. */
  readonly id: number;
  /** Of the last one: `name: message`. */
  readonly title: string;
  /** The first frame of the app. */
  readonly place?: SourcePlace;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
  /** How many processes it has ended. */
  readonly ended?: number;
  /** The last ones that had it, the newest first. */
  readonly requests: readonly RequestSummary[];
  /** Of one that ended a process outside of requests: the last request before, whose work may have gone on. */
  readonly before?: RequestSummary;
  /** The last one. */
  readonly error: ShownError;
}

/** Finds requests by what is in them, besides their summaries. */
export interface SearchOrder {
  /** In whatever case; at most 200 characters. */
  readonly text: string;
  /** Undefined: all. */
  readonly ids?: readonly number[];
}

export interface FoundRequest {
  readonly id: number;
  /** The first of them. */
  readonly places: readonly Found[];
  /** In how many others the text is. */
  readonly more: number;
}

export type FoundPlace =
  | 'error'
  | 'stack'
  | 'log'
  | 'statement'
  | 'step'
  | 'request header'
  | 'request body'
  | 'response header'
  | 'response body';

/** What was found, with the text around it. Secrets are masked. */
export interface Found {
  readonly where: FoundPlace;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

// ---- Mails

export interface MailSummary {
  /** Counts up from 1 in one run of `fw dev`. */
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  /** `written` to a file, because there is no transport. */
  readonly state: 'sending' | 'sent' | 'written' | 'failed';
  readonly to: readonly string[];
  readonly subject: string;
  /** What has sent it; absent while that is not known. */
  readonly request?: RequestSummary;
}

export interface MailDetail extends MailSummary {
  readonly from: string;
  readonly replyTo?: string;
  readonly text: string;
  readonly hasHtml: boolean;
  /** The text or the HTML is longer. */
  readonly isCut?: true;
  /** Of `written`, relative to the project. */
  readonly file?: string;
  /** Of `failed`; absent if the process has ended before. */
  readonly error?: ShownError;
}

// ---- Cycle

export interface CycleEntry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** `note`: anything else that the terminal says. */
  readonly kind: 'ready' | 'build-failed' | 'app-failed' | 'types' | 'client' | 'note';
  /** One line, such as `src/app.ts changed`. */
  readonly what: string;
  /** Of `ready`. */
  readonly times?: {
    readonly build: number;
    readonly boot: number;
    readonly client: number;
    readonly total: number;
  };
  /** Of failures and types. An empty list of `types` says that there are none any more. */
  readonly problems?: readonly Problem[];
  readonly error?: ShownError;
  /** Of `app-failed`: what answers now. */
  readonly consequence?: string;
  /** Of `client`: what breaks older clients, or which file was written. */
  readonly lines?: readonly string[];
}

export interface Problem {
  readonly text: string;
  readonly code?: CodeFrame;
  readonly notes?: readonly string[];
}

/** What the app does now. */
export interface LiveState {
  /** Counts up with every swap: a page that sees another number than at first was answered by old code. */
  readonly generation: number;
  readonly phase: 'starting' | 'ready' | 'reloading' | 'failed';
  /** Of `failed`. */
  readonly failure?: {
    readonly title: string;
    readonly problems: readonly Problem[];
    readonly error?: ShownError;
    /** Whether the last good version answers. */
    readonly keepsServing: boolean;
  };
  /** What the last check of the types has found; the app runs all the same. */
  readonly types?: readonly Problem[];
}

// ---- Events of the page

export interface WorkbenchEvents {
  /** The first event of each connection. */
  readonly hello: Hello;
  readonly state: LiveState;
  /** New ones, and new states of known ones; `skipped` were too many to record. */
  readonly requests: { readonly requests: readonly RequestSummary[]; readonly skipped: number };
  /** New ones, and new states of known ones. */
  readonly errors: { readonly groups: readonly ErrorGroup[] };
  /** A new one, or a new state of a known one. */
  readonly mail: MailSummary;
  /** Requests and errors were forgotten, by this page or another. */
  readonly cleared: Record<string, never>;
  readonly cycle: CycleEntry;
  /** Something was pinned, saved or removed, by this page or another. */
  readonly kept: KeptList;
  /** Points that are new, or have changed; all of them if the width has changed. */
  readonly points: Pick<ChartInfo, 'width' | 'points'>;
}

export interface Hello {
  readonly version: string;
  /** The name of the project; empty without one. */
  readonly name: string;
  readonly url: string;
  /** Milliseconds since 1970: requests before it were not recorded. */
  readonly recordsSince: number;
  readonly state: LiveState;
  readonly tests: TestSetup;
}

/** How tests of the project get its App. */
export interface TestSetup {
  readonly runner: 'vitest' | 'node:test';
  /** What the module exports: an App, or a function that makes one with a database of its own. */
  readonly gives: 'app' | 'default' | 'testApp' | 'unknown';
  /** Relative to the project, such as `src/app.ts`. */
  readonly file: string;
  /** As a test beside that file imports it, such as `./app.ts`. */
  readonly module: string;
  /** Where no file exports the App: the one that `fw dev` runs, relative to the project. */
  readonly entry?: string;
}
