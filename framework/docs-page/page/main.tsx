// The page about an API: its entry.
import { render } from 'preact';
import '../parts/tokens.css';
import '../parts/parts.css';
import { applyTheme, ThemeSwitch } from '../parts/theme.js';

applyTheme();
render(<ThemeSwitch />, document.body);
