// The page about an API: its entry.
import { render } from 'preact';
import '../parts/tokens.css';
import '../parts/parts.css';
import './page.css';
import { Api } from '../../api-model/api.js';
import { applyTheme } from '../parts/theme.js';
import { base, followAddress } from './state/page-state.js';
import { App } from './view/app.js';
import { Failed } from './view/failed.js';

applyTheme();
followAddress();
const root = document.createElement('div');
document.body.append(root);
await start();

async function start(): Promise<void> {
  const url = new URL(`${base}/api.json`, location.href).href;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status} to ${url}`);
    const api = new Api(await response.json(), url);
    document.title = api.title;
    render(<App api={api} />, root);
  } catch (error) {
    render(<Failed message={error instanceof Error ? error.message : String(error)} />, root);
  }
}
