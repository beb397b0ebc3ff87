// Ten tasks of a coding agent on a scaffolded app, with the tools of `fw mcp` alone, beside a file that it edits: which
// calls they take, and how many tokens the answers have, as characters / 4.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the tasks need of a client of MCP. */
export interface ToolClient {
  callTool(call: { name: string; arguments: object }): Promise<{
    content: { type: string; text?: string }[];
    isError?: boolean;
  }>;
}

export interface TaskFigures {
  readonly task: string;
  readonly calls: number;
  readonly tokens: number;
}

type Use = (name: string, input?: object) => Promise<string>;

/** An agent would look for the answer in the texts; a task fails if it is not there. */
type Task = readonly [name: string, solve: (use: Use, app: string) => Promise<void>];

function found(text: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`the answer has no ${pattern}:\n${text}`);
  return match;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

/** Until an answer has it: `fw dev` takes a moment after a save. */
async function until(use: Use, name: string, pattern: RegExp): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const text = await use(name);
    if (pattern.test(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${name} has never said ${pattern}`);
}

const tasks: readonly Task[] = [
  [
    'say whether the app runs',
    async (use) => {
      found(await use('app_overview'), /state: ready[\s\S]*procedures/);
    },
  ],
  [
    'find the failing request, and its line',
    async (use) => {
      const [, id] = found(await use('list_requests', { filter: 'failed' }), /#(\d+) {2}GET \/broken.* 500 /);
      found(
        await use('get_request', { id: Number(id) }),
        /TypeError[\s\S]*src\/app\.ts:\d+[\s\S]*> +\d+ \|.*toUpperCase/,
      );
    },
  ],
  [
    'list what is open to anybody',
    async (use) => {
      found(await use('list_procedures', { open: true }), /mutation addTask {2}anyone/);
    },
  ],
  [
    'learn how sessions work',
    async (use) => {
      const [, page] = found(await use('search_docs', { query: 'sessions' }), /^(sessions)\b/m);
      found(await use('read_doc', { page }), /^# Sessions[\s\S]*SessionConfig/);
    },
  ],
  [
    'add a procedure, and call it',
    async (use, app) => {
      edit(
        join(app, 'src/rpc.ts'),
        "rpc.mutation(\n  'addTask'",
        "rpc.query('hello', async (input: { name: string }) => 'hello '.concat(input.name));\n\nrpc.mutation(\n  'addTask'",
      );
      await until(use, 'app_overview', /state: ready[\s\S]* 6 procedures/);
      found(
        await use('call_procedure', { name: 'hello', input: { name: 'Ada' } }),
        /200[\s\S]*"result":"hello Ada"/,
      );
    },
  ],
  [
    'learn the types of a procedure, and call it with them',
    async (use) => {
      found(await use('get_procedure', { name: 'addTask' }), /title: string/);
      found(await use('call_procedure', { name: 'addTask', input: { title: 'Write' } }), /"title":"Write"/);
    },
  ],
  [
    'see why a call was refused',
    async (use) => {
      found(await use('call_procedure', { name: 'finishTask', input: { id: 999 } }), /noSuchTask/);
    },
  ],
  [
    'find and fix a build error',
    async (use, app) => {
      edit(join(app, 'src/app.ts'), 'throw new TypeError', 'throw new TypeErrr');
      edit(join(app, 'src/app.ts'), 'export const app', 'export const app: = 1;\nexport const was');
      await until(use, 'app_overview', /state: failed[\s\S]*src\/app\.ts:\d+/);
      edit(join(app, 'src/app.ts'), 'export const app: = 1;\nexport const was', 'export const app');
      edit(join(app, 'src/app.ts'), 'throw new TypeErrr', 'throw new TypeError');
      await until(use, 'app_overview', /state: ready/);
    },
  ],
  [
    'find a setting, without its secret',
    async (use) => {
      const text = await use('show_settings', { search: 'SHOP' });
      found(text, /SHOP_KEY=•+/);
      if (text.includes('hidden-key')) throw new Error('the secret is shown');
    },
  ],
  [
    'see whether the client is up to date, and write it',
    async (use) => {
      found(await use('check_client'), /no changes/);
      found(await use('run_generate'), /fw generate: done/);
    },
  ],
];

/** @throws Error for a task that cannot be solved */
export async function solveTasks(client: ToolClient, app: string): Promise<TaskFigures[]> {
  const figures: TaskFigures[] = [];
  for (const [task, solve] of tasks) {
    let [calls, characters] = [0, 0];
    const use: Use = async (name, input = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const text = content.map((one) => one.text ?? '').join('\n');
      calls += 1;
      characters += text.length;
      if (isError === true) throw new Error(`${task}: ${name} failed: ${text}`);
      return text;
    };
    await solve(use, app).catch((error: Error) => {
      throw new Error(`${task}: ${error.message}`, { cause: error });
    });
    figures.push({ task, calls, tokens: Math.ceil(characters / 4) });
  }
  return figures;
}

export function figuresText(figures: readonly TaskFigures[]): string {
  const total = figures.reduce(
    (sum, one) => ({ calls: sum.calls + one.calls, tokens: sum.tokens + one.tokens }),
    { calls: 0, tokens: 0 },
  );
  const rows = [...figures, { task: 'all', ...total }];
  const width = Math.max(...rows.map(({ task }) => task.length));
  const line = (task: string, calls: string, tokens: string) =>
    `${task.padEnd(width)}  ${calls.padStart(5)}  ${tokens.padStart(6)}`;
  return [
    line('task', 'calls', 'tokens'),
    ...rows.map(({ task, calls, tokens }) => line(task, String(calls), String(tokens))),
  ].join('\n');
}
