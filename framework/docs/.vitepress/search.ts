// What the search of the site finds first: guides before the API reference, and both before the changelog.
import type { DefaultTheme } from 'vitepress';

/** VitePress writes these functions into the pages as text, so they use nothing from here. */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    searchOptions: {
      // A short word with another letter is another word: "late" for "rate".
      fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      boostDocument: (id: string) => (id.includes('/changelog') ? 0.2 : id.includes('/api/') ? 0.6 : 1),
    },
  },
};
