// What an editor asks of TypeScript: where a name is defined. TypeScript 6 answers as tsserver, 7 as language server.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Counts from 0. */
interface Position {
  readonly line: number;
  readonly character: number;
}

interface Span {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

interface Message {
  readonly id?: number;
  readonly request_seq?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly body?: unknown;
  readonly error?: { readonly message: string };
  readonly success?: boolean;
  readonly message?: string;
}

/** For each of `names` the definitions of what ends it in the file, as `file:line:column text`, under `root`. */
export async function definitions(
  compiler: 'typescript' | 'typescript-6',
  root: string,
  file: string,
  names: readonly string[],
): Promise<string[][]> {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const positions = names.map((name) => positionOf(name, text, path));
  const ask = compiler === 'typescript' ? askLanguageServer : askTsserver;
  return (await ask(root, path, text, positions)).map((spans) => spans.map((span) => describe(span, root)));
}

function positionOf(name: string, text: string, path: string): Position {
  const index = text.indexOf(name);
  if (index < 0) throw new Error(`${path} does not hold ${name}`);
  const before = text.slice(0, index + name.length - 1).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

function describe({ file, start: { line, character }, end }: Span, root: string): string {
  const text = readFileSync(file, 'utf8').split('\n')[line];
  const found = text?.slice(character, end.line === line ? end.character : undefined);
  return `${file.slice(root.length + 1)}:${line + 1}:${character + 1} ${found}`;
}

async function askLanguageServer(
  root: string,
  path: string,
  text: string,
  positions: readonly Position[],
): Promise<Span[][]> {
  const uri = pathToFileURL(path).href;
  const server = start(join(modules, 'typescript/bin/tsc'), ['--lsp', '--stdio'], (message) => {
    const content = JSON.stringify({ jsonrpc: '2.0', ...message });
    return `Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;
  });
  try {
    await server.request({
      method: 'initialize',
      params: { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities: {} },
    });
    server.send({ method: 'initialized', params: {} });
    server.send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    });
    const spans: Span[][] = [];
    for (const position of positions) {
      const params = { textDocument: { uri }, position };
      const { result } = await server.request({ method: 'textDocument/definition', params });
      type Location = { uri: string; range: { start: Position; end: Position } };
      const found = [(result ?? []) as Location[] | Location].flat();
      spans.push(found.map(({ uri: at, range }) => ({ file: fileURLToPath(at), ...range })));
    }
    return spans;
  } finally {
    await server.close();
  }
}

async function askTsserver(
  root: string,
  path: string,
  _text: string,
  positions: readonly Position[],
): Promise<Span[][]> {
  const flags = ['--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents'];
  const server = start(join(modules, 'typescript-6/lib/tsserver.js'), flags, ({ id, ...message }) => {
    return `${JSON.stringify({ seq: id ?? 0, type: 'request', ...message })}\n`;
  });
  try {
    server.send({ command: 'open', arguments: { file: path, projectRootPath: root } });
    type Place = { line: number; offset: number };
    const from0 = ({ line, offset }: Place): Position => ({ line: line - 1, character: offset - 1 });
    const spans: Span[][] = [];
    for (const { line, character } of positions) {
      const at = { file: path, line: line + 1, offset: character + 1 };
      const { body } = await server.request({ command: 'definition', arguments: at });
      const found = body as { file: string; start: Place; end: Place }[];
      spans.push(found.map(({ file, start: from, end }) => ({ file, start: from0(from), end: from0(end) })));
    }
    return spans;
  } finally {
    await server.close();
  }
}

interface Server {
  send(message: object): void;
  request(message: object): Promise<Message>;
  close(): Promise<void>;
}

function start(file: string, args: string[], frame: (message: { id?: number }) => string): Server {
  const child = spawn(process.execPath, [file, ...args]);
  const waiting = new Map<number | undefined, (message: Message) => void>();
  const ended = once(child, 'close');
  onMessages(child, (message) => {
    // What the server itself asks, such as for settings, is answered by nothing.
    if (message.method !== undefined && message.id !== undefined) {
      child.stdin.write(frame({ id: message.id, result: null } as object));
    } else waiting.get(message.request_seq ?? message.id)?.(message);
  });
  let last = 0;
  return {
    send: (message) => void child.stdin.write(frame(message)),
    request: (message) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, (answer) => {
          if (answer.error === undefined && answer.success !== false) resolve(answer);
          else reject(new Error(answer.error?.message ?? answer.message));
        });
        void ended.then(() => reject(new Error(`${file} ended before it answered`)));
        child.stdin.write(frame({ id, ...message }));
      }),
    async close() {
      child.kill();
      await ended;
    },
  };
}

function onMessages(child: ChildProcessWithoutNullStreams, take: (message: Message) => void): void {
  let pending = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const end = pending.indexOf('\r\n\r\n');
      const length = /Content-Length: (\d+)/i.exec(pending.subarray(0, Math.max(end, 0)).toString());
      if (length === null) return;
      const from = end + 4;
      if (pending.length < from + Number(length[1])) return;
      take(JSON.parse(pending.subarray(from, from + Number(length[1])).toString()) as Message);
      pending = pending.subarray(from + Number(length[1]));
    }
  });
}
