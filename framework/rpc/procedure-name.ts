// Registration: the names that procedures may have.
import { ConfigError } from '../config-error.js';

/** Names that a generated client uses itself, or that JavaScript calls on any object, with the reason. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['batch', 'the generated client sends batches by it'],
  ['notify', 'the generated client sends notifications by it'],
  ['constructor', 'a class has one already'],
  ['then', 'awaiting the client would call it'],
  ['toString', 'JavaScript calls it on every object'],
  ['valueOf', 'JavaScript calls it on every object'],
  ['toJSON', 'JSON.stringify calls it on every object'],
  ['__proto__', 'it is no name of an object of its own'],
]);

const LONGEST = 200;

/** @throws Error if a procedure may not have the name */
export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string') {
    throw new ConfigError(
      'FW_RPC_PROCEDURE',
      `a procedure's name is a string, got ${name === null ? 'null' : `a value of type ${typeof name}`}`,
    );
  }
  const shown = JSON.stringify(name.slice(0, LONGEST));
  if (name.length > LONGEST) {
    throw new ConfigError(
      'FW_RPC_PROCEDURE',
      `the procedure name ${shown}… has ${name.length} characters; use ${LONGEST} at most`,
    );
  }
  if (name.trim() === '')
    throw new ConfigError(
      'FW_RPC_PROCEDURE',
      `the procedure name ${shown} is empty: give it one, such as 'getUser'`,
    );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(name) || /\p{Cs}/u.test(name)) {
    throw new ConfigError(
      'FW_RPC_PROCEDURE',
      `the procedure name ${shown} holds control characters or half a character; leave them out`,
    );
  }
  if (name.startsWith('rpc.')) {
    throw new ConfigError(
      'FW_RPC_PROCEDURE',
      `the procedure name ${shown} starts with 'rpc.', which JSON-RPC 2.0 keeps for itself (section 4.3); rename it`,
    );
  }
  const why = RESERVED.get(name);
  if (why !== undefined)
    throw new ConfigError('FW_RPC_PROCEDURE', `a procedure cannot be named ${shown}: ${why}; rename it`);
}

/** @throws Error if the name cannot be the last segment of a path */
export function checkRestName(name: string): void {
  if (!/[/?#{}]|%[0-9a-f]{2}/i.test(name) && !/^(?:[:*]|\.\.?$)/.test(name)) return;
  throw new ConfigError(
    'FW_RPC_PROCEDURE',
    `the procedure '${name}' cannot be mounted as REST: a name there is one segment of a path, without '/', '?', '#', braces and percent-encoding, and starts with neither ':' nor '*'; rename it`,
  );
}
