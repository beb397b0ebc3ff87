// `fw lint`: a placeholder that runs the app's own linter script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder(
  'lint',
  ['lint'],
  'fw lint --max-diagnostics=100   with an option of the script',
);
