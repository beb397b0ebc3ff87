// Reads Markdown as far as the site changes it: what is code, and what is not.
import { slug } from 'github-slugger';

/**
 * The id of a heading, as on hosts of repositories, so that links to headings lead to the same there. The element that
 * VitePress fills has the id `app`, which no heading can have too.
 */
export function headingId(title: string): string {
  return idOnSite(slug(title));
}

export function idOnSite(id: string): string {
  return id === 'app' ? 'app-heading' : id;
}

/** Fenced blocks, with their indentation, and code in a line. */
const CODE = /(^ *(?:`{3,}|~{3,}).*\n[\s\S]*?^ *(?:`{3,}|~{3,}) *$|(`+)[^`\n]+\2)/m;

/** Changes what is not code: `change` gets the text between. */
export function mapProse(text: string, change: (prose: string) => string): string {
  const parts: string[] = [];
  let rest = text;
  for (let found = CODE.exec(rest); found !== null; found = CODE.exec(rest)) {
    parts.push(change(rest.slice(0, found.index)), found[0]);
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, change(rest)].join('');
}

/** Without marks of Markdown: what a reader sees. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
