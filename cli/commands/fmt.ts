// `fw fmt`: a placeholder that runs the app's own formatter script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder(
  'fmt',
  ['fmt', 'format'],
  'fw fmt src                      one folder, with Biome',
);
