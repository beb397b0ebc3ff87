// The app: the procedures under /rpc, and a page about them.
import { App } from 'fw';
import { rpc } from './rpc.ts';

// A larger request body is answered 413: without a limit, one client could fill the memory.
export const app = new App().maxBodySize(1024 * 1024);

app.mountRpc('/rpc', rpc);
app.serveDocs('/', rpc.generateOpenapi('Tasks', '0.1.0', ''));
