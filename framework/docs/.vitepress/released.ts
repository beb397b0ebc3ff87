// The versions, for the menu that shows the version of this site.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import type { DefaultTheme } from 'vitepress';
import { root, version } from './pages.js';

export interface Hosted {
  /** The other versions that are served below this site, each in a folder such as `v0.9.0`. */
  readonly others?: readonly string[];
  /** The whole URL of the newest version's site, if this one is older. */
  readonly newest?: string | undefined;
}

/** The versions of the changelog, newest first: each leads to its site if that is hosted, otherwise to its changes. */
export function released(
  { others = [], newest }: Hosted = {},
  text: string = readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
): DefaultTheme.NavItemWithLink[] {
  const headings = [...text.matchAll(/^## \[(\d+\.\d+\.\d+[\w.-]*)\] - (\d{4}-\d\d-\d\d)$/gm)];
  const items = headings.map(([, name = '', date = '']) => {
    if (name !== version && others.includes(name)) {
      // Another site, which the router of this one must not look for.
      return { text: name, link: `/v${name}/`, target: '_self' };
    }
    return {
      text: name === version ? `${name}, this version` : name,
      link: `/changelog#${slug(`[${name}] - ${date}`)}`,
    };
  });
  return newest === undefined ? items : [{ text: 'The newest version', link: newest }, ...items];
}
