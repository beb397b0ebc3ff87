// `fw fmt`: a placeholder that names the project's own formatter script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder('fmt', ['fmt', 'format']);
