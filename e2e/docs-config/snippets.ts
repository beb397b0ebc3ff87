// Configuration of other programs in the documentation: each fence of the how-to pages and of the page about deployment
// that is not a program, with what it is for.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../packed.js';

export interface Snippet {
  /** Page and line: `how-to/behind-a-proxy.md:34`. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  readonly page: Page;
}

export interface Page {
  readonly name: string;
  readonly text: string;
}

/** Examples of TypeScript are compiled elsewhere; commands and components of frontends are not configuration. */
const PROGRAMS: ReadonlySet<string> = new Set(['ts', 'ts no-run', 'tsx', 'vue', 'svelte', 'sh']);

const howTo = readdirSync(join(checkout, 'framework/docs/how-to')).map(
  (name) => `framework/docs/how-to/${name}`,
);

const pages: readonly Page[] = [...howTo, 'cli/docs/deployment.md'].map((path) => ({
  name: path.replace(/^\w+\/docs\//, ''),
  text: readFileSync(join(checkout, path), 'utf8'),
}));

export const snippets: readonly Snippet[] = pages.flatMap(snippetsOf);

function snippetsOf(page: Page): Snippet[] {
  const found: Snippet[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of page.text.split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) open = { language: fence[1] ?? '', line: index + 1, lines: [] };
    else {
      const { language, lines } = open;
      const name = `${page.name}:${open.line}`;
      if (!PROGRAMS.has(language)) found.push({ name, language, text: `${lines.join('\n')}\n`, page });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page.name}:${open.line}: the fence has no end`);
  return found;
}

export type Kind =
  | 'nginx'
  | 'Caddyfile'
  | 'Alloy'
  | 'ignore file'
  | 'Dockerfile'
  | 'environment'
  | 'unit of systemd'
  | 'timer of systemd'
  | 'YAML'
  | 'TOML'
  | 'JSON';

/** By the language of the fence, or where there is none, by how it begins. `undefined`: nothing here checks it. */
export function kindOf({ language, text }: Snippet): Kind | undefined {
  if (language === 'nginx') return 'nginx';
  if (language === 'dockerfile') return 'Dockerfile';
  if (language === 'yaml') return 'YAML';
  if (language === 'toml') return 'TOML';
  if (language === 'json' || language === 'jsonc') return 'JSON';
  if (language === 'ini') {
    if (text.startsWith('[Timer]')) return 'timer of systemd';
    return text.startsWith('[') ? 'unit of systemd' : 'environment';
  }
  if (language !== '') return undefined;
  if (/^[a-z.]+ \{\n/.test(text)) return 'Caddyfile';
  if (text.startsWith('loki.')) return 'Alloy';
  return text.startsWith('node_modules\n') ? 'ignore file' : undefined;
}

export function snippetsOfKind(kind: Kind): Snippet[] {
  return snippets.filter((snippet) => kindOf(snippet) === kind);
}
