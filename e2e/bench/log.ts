// What a line of a log costs: `npm run log [-- --rounds 7]`. Prints nanoseconds for each line of `{ id, cents }` with a
// message inside of a request, by `log` of fw with consoleSubscriber and with pinoSubscriber, beside pino and the
// `request.log` of Fastify, interleaved in one run. `memory` writes to an object in this process, `stdout` to the standard
// output as each does by default, which a child process has at /dev/null, and `pipe` to one that this process reads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fastify, LogController } from 'fastify';
import { type Logger, pino } from 'pino';
import {
  consoleSubscriber,
  log,
  pinoSubscriber,
  SECRET_FIELDS,
  setLogLevel,
  subscribe,
  withSpan,
} from '../../dist/framework/tracing/index.js';
import { interleave, median, printTable } from './measure.js';

type Log = (work: (line: () => void) => void) => Promise<void>;

interface Sink {
  write(text: string): void;
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, child: { type: 'string' } },
});

const CALLS = 100_000;
const id = crypto.randomUUID();

/** Runs lines of `log` in a request, with a subscriber if there is one. */
function ofFw(start: (() => () => void) | undefined, isOn = true): Log {
  return async (work) => {
    setLogLevel(isOn ? 'info' : 'warn');
    const end = start?.();
    await withSpan({ request_id: id }, async () =>
      work(() => log.info('order paid', { id: 7, cents: 1990 })),
    );
    end?.();
  };
}

function pinoTo(sink: Sink | undefined, level = 'info'): Logger {
  return sink === undefined ? pino({ level }) : pino({ level }, sink);
}

function ofPino(sink?: Sink, isOn = true): Log {
  const child = pinoTo(sink, isOn ? 'info' : 'warn').child({ request_id: id });
  return async (work) => work(() => child.info({ id: 7, cents: 1990 }, 'order paid'));
}

function ofFastify(sink?: Sink): Log {
  return async (work) => {
    const app = fastify({
      logger: sink === undefined ? true : { stream: sink },
      logController: new LogController({ disableRequestLogging: true }),
    });
    app.get('/', (request) => {
      work(() => request.log.info({ id: 7, cents: 1990 }, 'order paid'));
      return 'x';
    });
    await app.inject('/');
    await app.close();
  };
}

function logsTo(sink?: Sink): Record<string, Log> {
  const output = sink === undefined ? {} : { output: sink };
  const console = () => consoleSubscriber({ format: 'json', ...output });
  return {
    pino: ofPino(sink),
    'Fastify request.log': ofFastify(sink),
    'fw, consoleSubscriber': ofFw(() => subscribe(console())),
    'fw, consoleSubscriber, redact': ofFw(() => subscribe(console(), { redact: SECRET_FIELDS })),
    'fw, pinoSubscriber': ofFw(() => subscribe(pinoSubscriber(pinoTo(sink)))),
    'pino, below the level': ofPino(sink, false),
    'fw, below the level': ofFw(() => subscribe(console()), false),
    'fw, no subscriber': ofFw(undefined),
  };
}

/** Nanoseconds of a line. */
async function timed(run: Log): Promise<number> {
  let took = 0;
  await run((line) => {
    for (let index = 0; index < CALLS / 10; index += 1) line();
    const began = process.hrtime.bigint();
    for (let index = 0; index < CALLS; index += 1) line();
    took = Number(process.hrtime.bigint() - began);
  });
  return took / CALLS;
}

if (values.child !== undefined) {
  const run = logsTo()[values.child];
  if (run === undefined) throw new Error(`no log is called ${values.child}`);
  process.stderr.write(String(await timed(run)));
} else {
  let length = 0;
  const memory = logsTo({
    write(text) {
      length += text.length;
    },
  });
  const names = Object.keys(memory);
  const rounds = Number(values.rounds);
  const inMemory = await interleave(names, rounds, (name) => timed(memory[name] as Log));
  const atStdout = await interleave(names, rounds, (name) => inChild(name, openSync('/dev/null', 'w')));
  const atPipe = await interleave(names, rounds, (name) => inChild(name, 'pipe'));
  const columns = [inMemory, atStdout, atPipe];
  const rows = names.map((name) => [
    name,
    ...columns.flatMap((column) => {
      const ns = median(column.get(name) ?? []);
      return [ns.toFixed(0), (ns / median(column.get('pino') ?? [])).toFixed(2)];
    }),
  ]);
  console.log(
    `\nNode ${process.version}: ns of a line, and ÷ pino (${length > 0 ? 'written' : 'nothing written'})`,
  );
  printTable(['log', 'memory', '÷ pino', 'stdout', '÷ pino', 'pipe', '÷ pino'], rows);
}

async function inChild(name: string, stdout: number | 'pipe'): Promise<number> {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), '--child', name];
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'pipe'] });
  let text = '';
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  const ns = Number(text);
  if (!(ns > 0)) throw new Error(`${name} has failed: ${text}`);
  return ns;
}
