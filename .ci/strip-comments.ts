// Build: takes the comments out of a bundle. They are in the declarations and the sources of the package already.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Comments that say something to tools and lawyers stay. @throws Error if the file cannot be parsed. */
export function stripComments(file: string): void {
  const text = readFileSync(file, 'utf8');
  const { comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  let stripped = '';
  let end = 0;
  for (const comment of comments) {
    const shown = text.slice(comment.start, comment.end);
    if (/^\/[/*](?:!|#|.*@(?:__PURE__|license|preserve))/s.test(shown)) continue;
    const lineStart = text.lastIndexOf('\n', comment.start - 1) + 1;
    const lineEnd = text.indexOf('\n', comment.end);
    const isAlone =
      text.slice(lineStart, comment.start).trim() === '' && text.slice(comment.end, lineEnd).trim() === '';
    stripped += text.slice(end, isAlone && lineStart >= end ? lineStart : comment.start);
    end = isAlone && lineStart >= end && lineEnd !== -1 ? lineEnd + 1 : comment.end;
  }
  if (end > 0) writeFileSync(file, stripped + text.slice(end));
}
