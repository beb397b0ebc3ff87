// The contents of the documentation as a page, for readers of the files: on the site, the sidebar has them.
import { posix } from 'node:path';
import type { Listed } from './navigation.js';
import type { Page } from './pages.js';

const FOLDER = 'framework/docs';
/** Pages that another one lists, or that the package does not have as files. */
const LEFT_OUT = /^(?:framework\/docs\/errors\/|templates\/|api\/)/;

/** The text of `framework/docs/contents.md`: every page, in the groups and order of the navigation. */
export function contentsText(listed: readonly Listed[]): string {
  const parts = listed.flatMap((group) => partsOf(group, 2));
  return `${['# Contents', '`fw docs <words>` searches all of this in the terminal.', ...parts].join('\n\n')}\n`;
}

function partsOf(group: Listed, level: number): string[] {
  const links = group.pages.filter(({ source }) => !LEFT_OUT.test(source)).map(linkTo);
  const inner = group.groups.flatMap((one) => partsOf(one, level + 1));
  if (links.length === 0 && inner.length === 0) return [];
  return [`${'#'.repeat(level)} ${group.title}`, ...(links.length > 0 ? [links.join('\n')] : []), ...inner];
}

function linkTo({ title, source }: Page): string {
  return `- [${title}](${posix.relative(FOLDER, source)})`;
}
