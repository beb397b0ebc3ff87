// Texts that people write. They have no control characters: terminals and logs act on them, and PostgreSQL refuses NUL.
import { z } from 'zod';

const message = 'must have no control characters';

/** Of one line, such as a title. */
export const Line = z.string().regex(/^\P{Cc}*$/u, message);

/** Of several lines, with tabs. */
export const Lines = z.string().regex(/^[\P{Cc}\t\n\r]*$/u, message);
