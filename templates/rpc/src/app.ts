// The app: the procedures under /rpc, and at / a page that shows them and calls them.
import { App } from 'fw';
import { rpc } from './rpc.ts';

// Limits request bodies to 1 MiB, so that no client can fill the memory; a larger one is answered with 413.
export const app = new App().maxBodySize(1024 * 1024);

app.mountRpc('/rpc', rpc);
app.serveDocs('/', app, { title: 'Tasks', version: '0.1.0' });
