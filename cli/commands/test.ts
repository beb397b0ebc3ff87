// `fw test`: a placeholder that names the project's own test script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder('test', ['test']);
