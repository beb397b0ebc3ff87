// Writes the document and the client of the backend.
import { clientFromApp } from 'fw/rpc';
import { backend } from './app.ts';

const { app, document } = backend();
await document.writeToFile('openapi.json');
await clientFromApp(app).writeToFile('client.ts');
