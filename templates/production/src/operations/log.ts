// The log: one line of JSON for each event, which collectors read without being taught; lines for people on a terminal.
import { consoleSubscriber, pinoSubscriber, subscribe } from 'fw/tracing';
import { type Logger, pino } from 'pino';
import type { Env } from '../env.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>;

/** Starts the log. What the app logs by `fw` goes there too: requests, errors, slow queries. */
export function startLog({ LOG_LEVEL, OTEL_SERVICE_NAME }: Env): Log {
  const log = pino({
    level: LOG_LEVEL,
    base: { service: OTEL_SERVICE_NAME, pid: process.pid },
    // Names and ISO times instead of pino's numbers: what people search for.
    formatters: { level: (level) => ({ level }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Nothing here logs these; this is for the day on which somebody logs a whole request.
    redact: ['*.authorization', '*.cookie', '*.password', '*["set-cookie"]', '*["x-api-key"]'],
  });
  subscribe(process.stdout.isTTY ? consoleSubscriber() : pinoSubscriber(log));
  return log;
}
