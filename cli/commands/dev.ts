// `fw dev`: serves the app and reloads it on every change.
import { Command } from 'commander';

export const command: Command = new Command('dev').description('Serve the app and reload it on every change');
