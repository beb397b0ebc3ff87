// The app: the procedures under /rpc, and their documentation page at /.
import { App } from 'fw';
import { rpc } from './rpc.ts';

// Limits request bodies to 1 MiB, so that no client can fill the memory; a larger one is answered with 413.
export const app = new App().maxBodySize(1024 * 1024);

app.mountRpc('/rpc', rpc);
app.serveDocs('/', rpc.generateOpenapi('Tasks', '0.1.0', ''));
