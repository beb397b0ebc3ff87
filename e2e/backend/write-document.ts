// Writes the document that clients are generated from.
import { backend } from './app.ts';

await backend().document.writeToFile('openapi.json');
