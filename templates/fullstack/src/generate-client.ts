// `fw generate` runs this file with the path of the client as its argument.
import { rpc } from './rpc.ts';

await rpc.generateClientFile(process.argv[2] ?? 'web/src/client.ts', { queryOptions: true });
