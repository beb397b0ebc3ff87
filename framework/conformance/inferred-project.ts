// Small projects that register procedures, to infer from with either compiler.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inferTypes } from '../client-gen/infer-from.js';
import type { InferredTypes } from '../client-gen/inferred-types.js';
import { loadCompiler } from '../client-gen/load-compiler.js';
import { type AbsolutePath, absolutePath } from '../files/absolute-path.js';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const made: string[] = [];

const registry = `
export class RpcRegistry<Added = unknown, Prefix extends string = ''> {
  static group<const Prefix extends string>(name: Prefix): RpcRegistry<unknown, Prefix> {
    return new RpcRegistry<unknown, Prefix>();
  }
  get prefix(): Prefix { return '' as Prefix; }
  use<More>(middleware: More): RpcRegistry<Added & More, Prefix> { return this as never; }
  query(name: string, ...rest: unknown[]): this { return this; }
  mutation(name: string, ...rest: unknown[]): this { return this; }
  subscription(name: string, ...rest: unknown[]): this { return this; }
  queryWithTypes(name: string, handler: unknown, input: string, output: string): this { return this; }
  registerWithTypes(name: string, handler: unknown, input: string, output: string): this { return this; }
}
export class Tracked<Value> {
  constructor(readonly id: string, readonly value: Value) {}
}
export const tracked = <Value>(id: string, value: Value): Tracked<Value> => new Tracked(id, value);`;

/** The parts of fw that types of routes depend on. */
const app = `
export class FwResponse { status = 200; headers = new Map<string, FwResponse>(); }
export interface JsonResponse<Body, Status extends number = 200> extends FwResponse {
  readonly '~json': { readonly body: Body; readonly status: Status };
}
export declare class Context {
  json<const Body>(body: Body): JsonResponse<Body>;
  json<const Body, Status extends number>(body: Body, status: Status): JsonResponse<Body, Status>;
  text(text: string): FwResponse;
  status(code: number): void;
}
type Result = FwResponse | Response | Uint8Array | string | number | boolean | null | undefined | void | object;
type Handler<A extends unknown[], R> = NoInfer<(...args: A) => R | Promise<R>>;
interface DescribedPath<P extends string, R = Result> { readonly path: P; readonly '~result'?: R }
export declare function route<P extends string>(path: P, options: object): DescribedPath<P>;
interface Extractor<T> { extract(ctx: Context): T }
export declare function Path<N extends string>(name: N): Extractor<string>;
interface Register<Self> {
  <P extends string, R = Result>(path: P | DescribedPath<P, R>, handler: Handler<[Context], R>): Self;
  <P extends string, A, R = Result>(path: P | DescribedPath<P, R>, a: Extractor<A>, handler: Handler<[A], R>): Self;
  <P extends string, A, B, R = Result>(
    path: P | DescribedPath<P, R>, a: Extractor<A>, b: Extractor<B>, handler: Handler<[A, B], R>,
  ): Self;
}
export interface EventTypes<Events extends object = object> { readonly '~events'?: Events }
interface Schema<Data> { readonly '~standard': { readonly data?: Data } }
export declare function schema<Data>(): Schema<Data>;
type Events = { readonly [event: string]: Schema<unknown> } | EventTypes;
type DataOf<E extends Events> = [E] extends [never] ? object
  : E extends { readonly [event: string]: Schema<unknown> } ? { [N in keyof E]: E[N] extends Schema<infer D> ? D : never }
  : E extends EventTypes<infer Plain> ? Plain : object;
export interface WebSocketRoute<Args extends readonly unknown[] = never, Receives extends object = object, Sends extends object = object> {
  readonly '~args'?: (...args: Args) => void;
  readonly '~receives'?: Receives;
  readonly '~sends'?: Sends;
  upgrade(ctx: Context): FwResponse;
}
export declare function events<E extends object>(): EventTypes<E>;
export declare function websocket<const R extends Events = never, const S extends Events = never>(
  handlers: { receives?: R; sends?: S; on?: object; onOpen?: () => void },
): WebSocketRoute<[], DataOf<R>, DataOf<S>>;
class Serving {}
export class App<Prefix extends string = ''> extends Serving {
  declare readonly '~prefix'?: Prefix;
  declare readonly get: Register<this>;
  declare readonly post: Register<this>;
  declare readonly put: Register<this>;
  declare readonly patch: Register<this>;
  declare readonly delete: Register<this>;
  declare readonly options: Register<this>;
  declare readonly websocket: (path: string | DescribedPath<string>, ...rest: unknown[]) => this;
}
export declare const Ctx: Extractor<Context>;
export declare function openApiFromApp(app: App<string>): object;
`;

/** What `app` needs of the platform, whose own types take a compiler a second. */
const platform =
  'interface Response { readonly ok: boolean; readonly status: number; json(): Promise<unknown> }';

/** A project whose src/main.ts has the routes of an App, and a document of them. */
export function routeProject(typescript: string, code: string): AbsolutePath {
  const directory = project(typescript, code);
  writeApp(directory, code, app);
  writeFileSync(
    join(directory, 'src/main.ts'),
    `import { App, Ctx, openApiFromApp, Path, route } from './app.js';\nconst app = new App();\nopenApiFromApp(app);\n${code}`,
  );
  return directory;
}

/** A project whose src/main.ts has the sockets of an App, and no document. */
export function socketProject(typescript: string, code: string): AbsolutePath {
  const directory = project(typescript, code);
  writeApp(directory, code, app.replace(/^.*openApiFromApp.*$/m, ''));
  writeFileSync(
    join(directory, 'src/main.ts'),
    `import { App, events, Path, route, schema, websocket } from './app.js';\nconst app = new App();\n${code}`,
  );
  return directory;
}

function writeApp(directory: string, code: string, text: string): void {
  writeFileSync(join(directory, 'src/app.ts'), text);
  if (!ofPlatform.test(code)) writeFileSync(join(directory, 'src/platform.d.ts'), platform);
}

/** What Node.js and browsers declare, and ECMAScript does not. */
const ofPlatform =
  /\b(?:Abort\w+|Blob|Buffer|console|Event\w*|fetch|File|FormData|Headers|node:\w+|process|Readable\w*|Request|Response|set(?:Timeout|Immediate)|structuredClone|URL\w*)\b/;

/** A project with this code in src/main.ts, and the TypeScript of that name. */
export function project(typescript: string, code: string): AbsolutePath {
  const directory = absolutePath(mkdtempSync(join(tmpdir(), 'fw-infer-')));
  made.push(directory);
  mkdirSync(join(directory, 'src'));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(join(modules, typescript), join(directory, 'node_modules/typescript'));
  symlinkSync(join(modules, '@types'), join(directory, 'node_modules/@types'));
  symlinkSync(join(modules, 'undici-types'), join(directory, 'node_modules/undici-types'));
  const libraries = ofPlatform.test(code) ? { types: ['node'] } : { types: [], lib: ['es2023'] };
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, ...libraries };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'src/registry.ts'), registry);
  writeFileSync(
    join(directory, 'src/main.ts'),
    `import { RpcRegistry } from './registry.js';\nconst rpc = new RpcRegistry();\n${code}`,
  );
  return directory;
}

export async function infer(directory: string): Promise<InferredTypes> {
  const compiler = await loadCompiler(directory);
  try {
    return inferTypes(compiler);
  } finally {
    compiler.close();
  }
}

/** For `describe.each`: what a compiler is called, and the package that has it. */
export const compilers: readonly (readonly [string, string])[] = [
  ['TypeScript 7', 'typescript'],
  ['TypeScript 6', 'typescript-6'],
  ['TypeScript 5.9', 'typescript-5.9'],
];

export function removeProjects(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}
