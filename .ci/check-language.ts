// Holds the English of comments, messages and documentation: npm run check:language. Each rule says what to write.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Rule {
  readonly pattern: RegExp;
  readonly write: string;
}

const rules: readonly Rule[] = [
  {
    // "There is no such file" and "is no longer" are English.
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|such\b|one\b|later\b|less\b|doubt\b|way\b|need\b|reason\b|other\b)\w+/gi,
    write: 'write "is not a …", or "there is no …"',
  },
  { pattern: /@throws (?:(?!@|\*\/)[^.])*? when\b/g, write: 'write "@throws Name if …"' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, write: 'write "fix"' },
  { pattern: /\bnothing fits\b/gi, write: 'write "no results"' },
];

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /^(?:framework|cli|templates|e2e|\.ci)\/.*\.(?:tsx?|md)$|^[A-Z]+\.md$/.test(file))
  .filter((file) => file !== 'CHANGELOG.md' && !file.includes('check-language'));

const faults = files.flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8')));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${files.length} files: no phrase that a rule is about`);

function faultsIn(file: string, text: string): string[] {
  return rules.flatMap(({ pattern, write }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: "${found.replace(/\s+/g, ' ').slice(-60)}": ${write}`;
    }),
  );
}
