// Cursors: a page continues after the position of the last item, so that no item is skipped or repeated.
import { z } from 'zod';

/** The position of an item in the order of the list. */
interface Position {
  createdAt: string;
  id: string;
}

const Fields = z.tuple([z.iso.datetime(), z.uuid()]);

/** The parameter of a query: a text that only `cursorAt` makes, checked like all input. */
export const Cursor = z
  .string()
  .max(200)
  .transform((text, issues): Position => {
    try {
      const [createdAt, id] = Fields.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return { createdAt, id };
    } catch {
      issues.addIssue({ code: 'custom', message: 'is not a cursor; take nextCursor of the page before' });
      return z.NEVER;
    }
  });

export function cursorAt({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
}
