// The log: one line of JSON for each event, by pino; lines for people on a terminal. main.ts imports it first, so that it
// has errors of the start too. LOG_LEVEL is read by `fw`, which passes on nothing below it.
import { consoleSubscriber, pinoSubscriber, SECRET_FIELDS, subscribe } from 'fw/tracing';
import { pino } from 'pino';

const json = pino({
  level: 'trace',
  base: { pid: process.pid },
  // Not in `base`: .env, which may have it, is read later.
  mixin: () => ({ service: process.env.OTEL_SERVICE_NAME ?? 'app' }),
  // Names and ISO times instead of pino's numbers: what people search for.
  formatters: { level: (level) => ({ level }) },
  timestamp: pino.stdTimeFunctions.isoTime,
});

// Nothing here logs these; this is for the day on which somebody logs a whole request.
subscribe(process.stdout.isTTY ? consoleSubscriber() : pinoSubscriber(json), { redact: SECRET_FIELDS });
