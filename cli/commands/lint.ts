// `fw lint`: a placeholder that names the project's own linter script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder('lint', ['lint']);
