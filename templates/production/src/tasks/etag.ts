// ETags of rows that count their versions, and the conditions of requests on them (RFC 9110, section 13.1).
import { type Context, type Extractor, FwError } from 'fw';
import { z } from 'zod';

export function etagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/** Whether the client has this version already, so that 304 is enough. */
export function isKnown(ctx: Context, row: { version: number }): boolean {
  const field = ctx.req.header('if-none-match');
  // A proxy that compresses makes the tag weak: W/"3".
  return (
    field !== undefined &&
    (field.trim() === '*' || [...field.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etagOf(row)))
  );
}

/** The versions that a change may be made of. */
export type Expected = 'any' | readonly number[];

/** The extractor of `If-Match`, without which the request is refused: nobody overwrites what they have not seen. */
export const IfMatch: Extractor<Expected> = {
  extract(ctx) {
    const field = ctx.req.header('if-match');
    if (field !== undefined) return expected(field);
    throw FwError.preconditionRequired('send the ETag that your change is based on, such as If-Match: "3"');
  },
  describes: {
    headers: {
      'if-match': z.string().meta({ description: 'The ETag that the change is based on, such as "3".' }),
    },
    errors: {
      400: 'If-Match is malformed.',
      412: 'There is a newer version: read it, and apply the change to it.',
      428: 'If-Match is missing.',
    },
  },
};

/** The same, but without the field every version will do. */
export const IfMatchOptional: Extractor<Expected> = {
  extract: (ctx) => expected(ctx.req.header('if-match') ?? '*'),
  describes: {
    headers: { 'if-match': z.string().optional().meta({ description: 'Only this version, by its ETag.' }) },
    errors: { 400: 'If-Match is malformed.', 412: 'There is a newer version.' },
  },
};

const list = /^[ \t]*(?:W\/)?"[^"]*"[ \t]*(?:,[ \t]*(?:W\/)?"[^"]*"[ \t]*)*$/;

function expected(field: string): Expected {
  if (field.trim() === '*') return 'any';
  if (!list.test(field)) throw FwError.badRequest('If-Match must be an ETag in double quotes, such as "3"');
  const versions = [...field.matchAll(/(W\/)?"([^"]*)"/g)]
    // Weak tags never match here, nor do those that this app has not made.
    .filter(([, weak, tag = '']) => weak === undefined && /^[1-9]\d{0,8}$/.test(tag))
    .map(([, , tag]) => Number(tag));
  // Versions begin at 1, so 0 is none of them.
  return versions.length > 0 ? versions : [0];
}
