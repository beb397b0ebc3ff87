// The workbench: what its page and the overlay get from `fw dev`, and what they send. All of it is JSON.
//
// GET  /_fw/                  the page; its files are below /_fw/assets/
// GET  /_fw/live.js           the script that pages of the app ask for: the overlay, and a reload after a restart
// GET  /_fw/live              text/event-stream for that script: event `state` (LiveState)
// GET  /_fw/events            text/event-stream for the page: the events of `WorkbenchEvents`
// GET  /_fw/requests          RequestSummary[], the oldest first
// GET  /_fw/requests/:id      RequestDetail
// DELETE /_fw/requests        forgets them
// GET  /_fw/error?page=…      ErrorPage, for the script /_fw/error.js of the page that answers an error
// GET  /_fw/app               AppInfo
// GET  /_fw/cycles            CycleEntry[], the oldest first
// POST /_fw/send              SendOrder → { id: number } of the new request, once it is answered
// POST /_fw/open              SourcePlace → 204; opens it in the editor
//
// An error is answered as { error: string, message: string }, with a message for people.

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
}

/** An error that was answered, as the page shows it that a browser gets. */
export interface ErrorPage {
  readonly request: RequestDetail;
  /** What to do, in sentences. */
  readonly advice: readonly string[];
  /** Of a 404 without a route: those that there are. */
  readonly routes?: readonly Pick<RouteInfo, 'method' | 'path'>[];
}

// ---- Requests

/** A call of RPC. */
export interface CallSummary {
  /** What the client asked for, if no procedure has that name; an empty text if it asked for nothing that could be a name. */
  readonly procedure: string;
  /** `ok`, the name of the declared error, or the code of another error of JSON-RPC, such as `-32602`. */
  readonly outcome: string;
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
  /** The client went away before the answer was complete. */
  readonly aborted?: true;
  /** Answered by the dev server of the frontend, such as a module of Vite. */
  readonly isOfFrontend?: true;
  /** Set if the page sent it. */
  readonly sentFrom?: number;
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
  /** The fields of a span, as text. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Of a statement, as text. Secrets are masked. */
  readonly parameters?: readonly string[];
  /** Of a statement: what ran it. */
  readonly place?: SourcePlace;
  /** What it threw, as `name: message`. */
  readonly error?: string;
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
  /** What was thrown and answered as an error, or ended the process. */
  readonly error?: ShownError;
}

/** A request to send: from scratch, or `from` another one, whose masked header fields and body it then uses. */
export interface SendOrder {
  readonly from?: number;
  readonly method: string;
  readonly target: string;
  /** A masked value stands for that of `from`. */
  readonly headers: readonly HeaderField[];
  /** Undefined sends the body of `from`; an empty text sends none. */
  readonly body?: string;
}

// ---- App

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
  readonly middleware: readonly string[];
  readonly summary?: string;
  readonly deprecated?: true;
  readonly isHidden?: true;
  readonly place?: SourcePlace;
}

export interface MiddlewareInfo {
  readonly name: string;
  /** Where its App is mounted; `/` for the outermost. */
  readonly below: string;
  readonly place?: SourcePlace;
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
  /** Masked, but for values that tell nothing, such as `NODE_ENV` and `PORT`. */
  readonly value: string;
  readonly from: 'shell' | '.env' | 'fw dev';
}

export interface ConfigInfo {
  /** Such as `project.backend_port`. */
  readonly key: string;
  readonly value: string;
  /** Undefined if it is the default. */
  readonly place?: SourcePlace;
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
  /** The requests were forgotten, by this page or another. */
  readonly cleared: Record<string, never>;
  readonly cycle: CycleEntry;
}

export interface Hello {
  readonly version: string;
  /** The name of the project; empty without one. */
  readonly name: string;
  readonly url: string;
  /** Milliseconds since 1970: requests before it were not recorded. */
  readonly recordsSince: number;
  readonly state: LiveState;
}
