// The page about the app: its entry.
import { render } from 'preact';
import '../../../../framework/docs-page/parts/tokens.css';
import '../../../../framework/docs-page/parts/parts.css';
import './workbench.css';
import { applyTheme } from '../../../../framework/docs-page/parts/theme.js';
import { followAddress } from './place.js';
import { connect } from './store.js';
import { Workbench } from './workbench.js';

applyTheme();
followAddress();
connect();
render(<Workbench />, document.body);
