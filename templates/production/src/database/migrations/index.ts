// All migrations. `npm run migrate new <name>` adds one, and `npm run migrate index` writes this again after a merge.
import * as m20260105090000_users from './20260105090000_users.ts';
import * as m20260105090001_tasks from './20260105090001_tasks.ts';
import * as m20260105090002_tokens from './20260105090002_tokens.ts';

export const migrations = {
  '20260105090000_users': m20260105090000_users,
  '20260105090001_tasks': m20260105090001_tasks,
  '20260105090002_tokens': m20260105090002_tokens,
};
