// Texts that people write. They have no control characters: terminals and logs act on them, and PostgreSQL refuses NUL.
import { z } from 'zod';

/** Of one line, such as a title. */
export const Line = z.string().regex(/^\P{Cc}*$/u, 'must have no control characters');
