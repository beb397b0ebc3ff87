// `fw fuzz`: sends a running app requests of all kinds, and checks what must hold for every answer.
import { Command } from 'commander';
import type { FuzzFlags } from '../fuzz/fuzz-flags.js';

const collect = (value: string, all: readonly string[] = []): string[] => [...all, value];

export const command: Command = new Command('fuzz')
  .description('Send a running app requests of all kinds; report what breaks. It changes data.')
  .argument('[address]')
  .option('--document <file>', 'file or URL of OpenAPI (default: from the app here)')
  .option('-H, --header <header>', "sent by a caller who is signed in: 'Name: value'", collect)
  .option('--other-header <header>', 'sent by another one, who must not reach theirs', collect)
  .option('--only <operation>', "call only these: 'POST /users/:id', 'users.*'", collect)
  .option('--except <operation>', 'do not call these', collect)
  .option('--open <operation>', 'all that are for anybody (default: without guard)', collect)
  .option('--shared <operation>', 'what the other caller may read and change too', collect)
  .option('--runs <number>', 'requests of chance to each operation (default: 20)')
  .option('--seed <number>', 'repeat the run that had this seed')
  .option('--timeout <ms>', 'how long an answer may take (default: 10000)')
  .option('--allow-remote', 'also call a server that is not on this machine')
  .option('--json', 'print the report as one line of JSON')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  fw fuzz -H "Authorization: Bearer $TOKEN"    the app that fw dev serves
  fw fuzz http://[::1]:4000 --document a.json  a server of any kind
Exit codes: 0 nothing found, 1 found or failed, 2 wrong usage, 130 after Ctrl+C.`,
  )
  .action(async (address: string | undefined, flags: FuzzFlags) => {
    const { fuzzRunningApp } = await import('../fuzz/fuzz-running-app.js');
    await fuzzRunningApp(address, flags);
  });
