// The app with its routes. The tests in app.test.ts call it directly, without a port.
import { App } from 'fw';
import { securityHeaders } from 'fw/middleware';
import { homePage } from './home.ts';
import { notes } from './notes.ts';

// Limits request bodies to 1 MiB, so that no client can fill the memory; a larger one is answered with 413.
// No other site may show it in a frame.
export const app = new App().maxBodySize(1024 * 1024).use(securityHeaders({ csp: "frame-ancestors 'none'" }));

app.get('/', (ctx) => ctx.html(homePage));

// The parameters of the path are typed: `param('nam')` does not compile.
app.get('/hello/:name', (ctx) => {
  return ctx.json({ message: `Hello, ${ctx.req.param('name')}!` });
});

app.route('/notes', notes);

// The documentation of all routes above; it can also call them.
app.serveDocs('/docs', app, { title: 'Notes', version: '0.1.0' });
