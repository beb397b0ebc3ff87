// Corrects what axe finds in components of VitePress 1: it reads their sources with these parts replaced.
import type { UserConfig } from 'vitepress';

/** Of the version of Vite that VitePress has. */
export type VitePlugin = Extract<
  NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number],
  { readonly name: string }
>;

interface Correction {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const corrections: readonly Correction[] = [
  {
    // A group opens by its line; the arrow in it was a second button, inside of the first.
    file: 'VPSidebarItem.vue',
    from: `role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"`,
    to: 'aria-hidden="true" @click="onCaretClick"',
  },
  {
    file: 'VPSidebarItem.vue',
    from: ':role="itemRole"',
    to: ':role="itemRole" :aria-expanded="collapsible ? !collapsed : undefined"',
  },
  {
    // A window with a field and results, which was a button.
    file: 'VPLocalSearchBox.vue',
    from: `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"`,
    to: 'role="dialog" aria-modal="true"',
  },
  {
    // A result is a link, which an option must not contain, but may be.
    file: 'VPLocalSearchBox.vue',
    from: `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    to: 'role="presentation"',
  },
  {
    // Its text is its name.
    file: 'VPLocalSearchBox.vue',
    from: `:aria-label="[...p.titles, p.title].join(' > ')"`,
    to: `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  },
  {
    file: 'VPLocalSearchBox.vue',
    from: '<kbd :aria-label',
    to: '<kbd role="img" :aria-label',
  },
];

export const accessibleTheme: VitePlugin = {
  name: 'fw-accessible-theme',
  enforce: 'pre',
  transform(code, id) {
    const own = corrections.filter(({ file }) => id.endsWith(`/theme-default/components/${file}`));
    if (own.length === 0) return undefined;
    return own.reduce((text, { file, from, to }) => {
      if (!text.includes(from)) throw new Error(`${file} of VitePress has changed: look again at ${from}`);
      return text.replaceAll(from, () => to);
    }, code);
  },
};
