// `fw new`: options → plan → prompts → write → install → git.
import { Command } from 'commander';

export const command: Command = new Command('new').description('Create an app from a template');
