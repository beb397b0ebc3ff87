// An example of a program that uses the generated client: npm run tasks -- add "Buy milk"
import { FwRpcClient, isErrorOf, JsonRpcClientError } from './client.ts';

const client = new FwRpcClient(process.env.RPC_URL, { callsInUrl: true });
const [command = 'list', ...words] = process.argv.slice(2);

try {
  if (command === 'list') {
    for (const { id, title, isDone } of await client.listTasks({}))
      console.log(`${isDone ? '✓' : ' '} ${id} ${title}`);
  } else if (command === 'add') {
    const { id } = await client.addTask({ title: words.join(' ') });
    console.log(`added task ${id}`);
  } else if (command === 'done') {
    const { title } = await client.finishTask({ id: Number(words[0]) });
    console.log(`done: ${title}`);
  } else if (command === 'watch') {
    // Ends with Ctrl-C; after a restart of the service, the client connects again.
    for await (const { id, title, isDone } of client.onTaskChanged({}))
      console.log(`${isDone ? 'done' : 'added'}: ${id} ${title}`);
  } else {
    console.log('usage: npm run tasks -- list | add <title> | done <id> | watch');
  }
} catch (error) {
  if (isErrorOf(error, 'finishTask')) console.error(`task ${error.error.data.id} does not exist`);
  else if (error instanceof JsonRpcClientError) console.error(`${error.message} (code ${error.code})`);
  else if (error instanceof TypeError) console.error('the service does not answer; start it: npm run dev');
  else throw error;
  process.exitCode = 1;
}
