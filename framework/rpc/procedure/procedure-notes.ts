// Registration: what a procedure says about itself, for people: its description, its tags, and that it is deprecated.

import { ConfigError } from '../../config-error.js';
import { shown } from '../../options/shown.js';
import type { ProcedureNotes } from '../../wire/wire-type.js';

/** The same before it was validated. */
export interface GivenNotes {
  readonly description?: unknown;
  readonly deprecated?: unknown;
  readonly tags?: unknown;
}

/** Without what was not given. @throws ConfigError if one of them has another type, or is empty */
export function readNotes(
  who: string,
  { description, deprecated = false, tags }: GivenNotes,
): ProcedureNotes {
  const isText = typeof deprecated === 'string';
  if (typeof deprecated !== 'boolean' && !isText) {
    throw wrong(who, 'deprecated', deprecated, `true, or a text such as 'use getUser'`);
  }
  if (isText) assertText(who, 'deprecated', deprecated, 'use getUser');
  if (description !== undefined) assertText(who, 'description', description, 'One user.');
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== false && { deprecated }),
    ...(tags !== undefined && { tags: readTags(who, tags) }),
  };
}

function readTags(who: string, tags: unknown): readonly string[] {
  if (!Array.isArray(tags)) throw wrong(who, 'tags', tags, `a list such as ['users']`);
  for (const tag of tags as readonly unknown[]) assertText(who, 'tags', tag, 'users');
  return [...new Set(tags as readonly string[])];
}

/** @throws ConfigError if it is not a text, or an empty one */
function assertText(who: string, option: string, value: unknown, example: string): asserts value is string {
  if (typeof value === 'string' && value.trim() !== '') return;
  throw wrong(who, option, value, `a text such as '${example}'`);
}

function wrong(who: string, option: string, value: unknown, remedy: string): ConfigError {
  const code = typeof value === 'string' ? 'FW_OPTION_FORM' : 'FW_OPTION_TYPE';
  return new ConfigError(code, `${who}: ${option} is ${shown(value)}; give ${remedy}, or leave it out`);
}
