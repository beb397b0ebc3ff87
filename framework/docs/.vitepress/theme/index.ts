// The default theme of VitePress in the colours of the workbench.
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { rememberTabs } from './remember-tabs.js';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (!import.meta.env.SSR) rememberTabs(router);
  },
};

export default theme;
