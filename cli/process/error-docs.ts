// Which errors have a page in the documentation.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppError } from './messages.js';
import { packageRoot } from './package-root.js';

/** Apps may have codes of that form, too. */
const CODE = /^FW_[A-Z0-9_]{1,60}$/;
/** At most this many causes are looked at. */
const MOST_ERRORS = 20;

/** The name of the page about an error, such as `errors/FW_ENV`; undefined without one. */
export function errorPage({ code }: Pick<AppError, 'code'>): string | undefined {
  if (code === undefined || !CODE.test(code)) return undefined;
  return existsSync(join(packageRoot(), 'framework', 'docs', 'errors', `${code}.md`))
    ? `errors/${code}`
    : undefined;
}

/** Commands that show the pages about an error and its causes, such as `fw docs FW_ENV`. */
export function docsCommands(error: AppError): string[] {
  const found = new Set<string>();
  const open = [error];
  for (let count = 0; open.length > 0 && count < MOST_ERRORS; count++) {
    const one = open.shift() as AppError;
    if (errorPage(one) !== undefined) found.add(`fw docs ${one.code}`);
    open.push(...(one.causes ?? []));
  }
  return [...found];
}
