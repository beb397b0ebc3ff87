// Registration: refuses names that procedures and groups may not have.
import { ConfigError } from '../../config-error.js';
import { kindOf } from '../../options/shown.js';
import { isIdentifier, nameProblem } from '../protocol/procedure-name.js';

/** @throws ConfigError if it is not the name of a group, such as `users` or `admin.users` */
export function checkGroupName(name: unknown): asserts name is string {
  if (typeof name === 'string' && name.split('.').every(isIdentifier)) return checkName(name);
  throw new ConfigError(
    'FW_RPC_GROUP_NAME',
    `a group cannot be named ${JSON.stringify(name) ?? 'undefined'}; give it a name such as 'users' or 'admin.users'`,
  );
}

/** @throws ConfigError if a procedure may not have the name. */
export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string') {
    throw new ConfigError('FW_RPC_NAME', `the name of a procedure must be a string, got ${kindOf(name)}`);
  }
  const problem = nameProblem(name);
  if (problem !== undefined) throw new ConfigError('FW_RPC_NAME', problem);
}

/** @throws ConfigError if the name cannot be the last segment of a path. */
export function checkRestName(name: string): void {
  if (!/[/?#{}]|%[0-9a-f]{2}/i.test(name) && !/^(?:[:*]|\.\.?$)/.test(name)) return;
  throw new ConfigError(
    'FW_RPC_REST_NAME',
    `the procedure '${name}' cannot be mounted as REST: its name must be one segment of a path, which contains no '/', '?', '#', braces or percent-encoding, does not start with ':' or '*', and is not '.' or '..'; rename it`,
  );
}
