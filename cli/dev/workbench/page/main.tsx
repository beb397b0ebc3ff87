// The page about the app: its entry.
import { render } from 'preact';
import '../../../../framework/docs-page/parts/tokens.css';
import '../../../../framework/docs-page/parts/parts.css';
import { applyTheme, ThemeSwitch } from '../../../../framework/docs-page/parts/theme.js';

applyTheme();
render(<ThemeSwitch />, document.body);
