// Finds the position of a key in a TOML text, for errors about values that parse but are invalid.

export interface Position {
  line: number;
  column: number;
}

/** The position of `table`, or of `key` in it; line 1 if it cannot be found. */
export function positionOf(text: string, table: string, key?: string): Position {
  let current = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const header = /^\s*\[\s*["']?([^\]"']+?)["']?\s*\]/.exec(line);
    if (header) current = header[1] ?? '';
    const column = header ? line.indexOf('[') + 2 : line.search(/\S/) + 1;
    if (key === undefined && (current === table || isKey(line, table))) return { line: index + 1, column };
    if (key === undefined) continue;
    if (current === table && !header && isKey(line, key)) return { line: index + 1, column };
    if (
      current === '' &&
      new RegExp(`^\\s*["']?${escapeText(table)}["']?\\s*\\.\\s*["']?${escapeText(key)}\\b`).test(line)
    ) {
      return { line: index + 1, column };
    }
    // An inline table: dev = { backend_port = 1 }
    if (current === '' && isKey(line, table))
      return { line: index + 1, column: Math.max(line.indexOf(key), 0) + 1 };
  }
  return { line: 1, column: 1 };
}

function isKey(line: string, key: string): boolean {
  return new RegExp(`^\\s*["']?${escapeText(key)}["']?\\s*=`).test(line);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
