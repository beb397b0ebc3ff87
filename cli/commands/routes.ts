// `fw routes`: lists the routes and procedures of the app, with their extractors, guards and places.
import { Command } from 'commander';
import type { RoutesFlags } from '../routes/list-routes.js';

export const command: Command = new Command('routes')
  .description('List the routes and procedures of the app, and who may call them.')
  .argument('[search...]', 'words that must be in what is listed about a route')
  .option('--json', 'print the routes as one line of JSON')
  .addHelpText(
    'after',
    `
The app is built and started as by fw dev, but its port is not opened. What it
prints goes to standard error.

Examples:
  fw routes                  every route and procedure
  fw routes POST users       those with both words
  fw routes --json           for programs

Exit codes: 0 done, 1 the app cannot be started, 2 wrong usage.`,
  )
  .action(async (words: string[], flags: RoutesFlags) => {
    const { listRoutes } = await import('../routes/list-routes.js');
    await listRoutes(words.join(' '), flags);
  });
