// `fw test`: a placeholder that runs the app's own test script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder(
  'test',
  ['test'],
  'fw test src/users.test.ts       one file, with Vitest',
);
