// All migrations. `npm run migrate new <name>` adds one, and `npm run migrate index` writes this again after a merge.
import * as m20260105090000_users from './20260105090000_users.ts';
import * as m20260105090001_sessions from './20260105090001_sessions.ts';
import * as m20260105090002_lists from './20260105090002_lists.ts';
import * as m20260105090003_mail_links from './20260105090003_mail_links.ts';

export const migrations = {
  '20260105090000_users': m20260105090000_users,
  '20260105090001_sessions': m20260105090001_sessions,
  '20260105090002_lists': m20260105090002_lists,
  '20260105090003_mail_links': m20260105090003_mail_links,
};
