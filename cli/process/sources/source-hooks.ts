// Loaded by Node.js before everything else: lets a process or a thread run the app's sources one by one, without a bundle.
import Module, { register } from 'node:module';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { compileSource } from './compile.js';
import { type SourceModule, type SyncHooks, tellLoaded } from './loaded-sources.js';
import { missingSource, namedSource, needsCompiler, sourcePath } from './own-files.js';
import { compileRequired, resolveRequired } from './require-hooks.js';
import { declareTypeScript, type SourceSettings, settingsOf } from './settings.js';

interface Context {
  readonly parentURL?: string | undefined;
  readonly conditions?: readonly string[];
  readonly importAttributes?: Readonly<Record<string, string>>;
}

interface Resolved {
  readonly url: string;
  readonly importAttributes?: Readonly<Record<string, string>>;
  readonly shortCircuit?: boolean;
}

type Next<Result> = (name: string, context: Context) => Result;

const settings: SourceSettings = settingsOf(import.meta.url);
let report: (path: string) => void = tellLoaded;

export function resolve(name: string, context: Context, next: Next<Promise<Resolved>>): Promise<Resolved> {
  const found = named(name, context);
  if (found) return Promise.resolve(found);
  return next(name, context).then(
    (resolved) => withType(resolved, context),
    (error) => instead(error),
  );
}

export async function load(
  url: string,
  context: Context,
  next: Next<Promise<SourceModule>>,
): Promise<SourceModule> {
  return compiled(url) ?? next(url, context);
}

/** In the thread that Node runs asynchronous hooks in. */
export function initialize({ port }: { port: MessagePort }): void {
  report = (path) => port.postMessage(path);
}

const hooks: SyncHooks<Context, Resolved> = {
  resolve(name, context, next) {
    const found = named(name, context);
    if (found) return found;
    try {
      return withType(next(name, context), context);
    } catch (error) {
      return instead(error);
    }
  },
  load: (url, context, next) => compiled(url) ?? next(url, context),
};

function named(name: string, { parentURL, conditions }: Context): Resolved | undefined {
  const url = namedSource(name, parentURL, conditions?.includes('require') ?? false);
  return url === undefined
    ? undefined
    : withType({ url, shortCircuit: true }, { conditions: conditions ?? [] });
}

/** @throws the error, unless the file is there under another name */
function instead(error: unknown): Resolved {
  const url = missingSource(error);
  if (url === undefined) throw error;
  return { url, shortCircuit: true };
}

/** In a bundle, JSON needs no attribute. */
function withType(resolved: Resolved, { conditions, importAttributes }: Context): Resolved {
  const isJson = sourcePath(resolved.url)?.endsWith('.json') ?? false;
  if (!isJson || conditions?.includes('require') || importAttributes?.type) return resolved;
  return { ...resolved, importAttributes: { ...importAttributes, type: 'json' } };
}

function compiled(url: string): SourceModule | undefined {
  const path = sourcePath(url);
  if (path === undefined) return undefined;
  report(path);
  if (!needsCompiler(path)) return undefined;
  const { format, source } = compileSource(path, settings);
  // Node loads CommonJS without a source by `require`, so that there is one copy of it.
  return { format, source: format === 'commonjs' ? null : source, shortCircuit: true };
}

function install(): void {
  declareTypeScript();
  const { registerHooks } = Module as unknown as { registerHooks?: (all: typeof hooks) => void };
  compileRequired(settings, registerHooks === undefined, tellLoaded);
  if (registerHooks) registerHooks(hooks);
  else installAsync();
}

function installAsync(): void {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', tellLoaded);
  port1.unref();
  const url = new URL(import.meta.url);
  url.searchParams.set('thread', '');
  register(url.href, { data: { port: port2 }, transferList: [port2] });
  resolveRequired();
}

// The thread of the asynchronous hooks loads this file again.
if (!new URL(import.meta.url).searchParams.has('thread')) install();
