// All migrations. `npm run migrate new <name>` adds one, and `npm run migrate index` writes this again after a merge.
import * as m20260105090000_users from './20260105090000_users.ts';
import * as m20260105090001_sessions_and_tokens from './20260105090001_sessions_and_tokens.ts';
import * as m20260105090002_lists from './20260105090002_lists.ts';

export const migrations = {
  '20260105090000_users': m20260105090000_users,
  '20260105090001_sessions_and_tokens': m20260105090001_sessions_and_tokens,
  '20260105090002_lists': m20260105090002_lists,
};
