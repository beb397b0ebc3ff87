// The app: the procedures under /rpc, and a page about them.
import { App } from 'fw';
import { rpc } from './rpc.ts';

export const app = new App();

app.mountRpc('/rpc', rpc);
app.serveDocs('/', rpc.generateOpenapi('Tasks', '0.1.0', ''));
