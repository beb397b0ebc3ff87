// The log: lines for people on a terminal, JSON elsewhere. main.ts imports it first, so that it has errors of the start too.
import { consoleSubscriber, SECRET_FIELDS, subscribe } from 'fw/tracing';

// The values of these names are hidden, such as `password` and `authorization`.
subscribe(consoleSubscriber(), { redact: SECRET_FIELDS });
