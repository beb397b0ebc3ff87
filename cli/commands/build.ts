// `fw build`: a placeholder that runs the app's own build script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder(
  'build',
  ['build'],
  'fw build --minify              with an option of the script',
);
