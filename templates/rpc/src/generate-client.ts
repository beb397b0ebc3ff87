// Run by `fw generate`, with the path of the client.
import { rpc } from './rpc.ts';

await rpc.generateClientFile(process.argv[2] ?? 'src/client.ts');
