// The child of `fw generate`: runs the app's program and says how it ended.
import { pathToFileURL } from 'node:url';
import { describeError } from '../dev/app-error.js';
import type { EntryMessage } from './run-entry.js';

const [node = process.execPath, , entry = '', bundle = '', output = ''] = process.argv;
process.argv = [node, entry, output];

try {
  await import(pathToFileURL(bundle).href);
  send({});
} catch (error) {
  send({ failed: describeError(error) });
}

/** Open handles of the app, such as a database, must not keep the command waiting. */
function send(message: EntryMessage): void {
  process.send?.(message, () => process.exit('failed' in message ? 1 : 0));
}
