// The app with its routes: the procedures under /rpc, and at /docs a page that shows them and calls them.
import { App } from 'fw';
import { securityHeaders } from 'fw/middleware';
import { homePage } from './home.ts';
import { rpc } from './rpc.ts';

// Limits request bodies to 1 MiB, so that no client can fill the memory; a larger one is answered with 413.
// No other site may show it in a frame.
export const app = new App().maxBodySize(1024 * 1024).use(securityHeaders({ csp: "frame-ancestors 'none'" }));

app.get('/', (ctx) => ctx.html(homePage));

app.mountRpc('/rpc', rpc);

// The documentation of all procedures above; it can also call them.
app.serveDocs('/docs', app, { title: 'Tasks', version: '0.1.0' });
