// `fw build`: a placeholder that names the project's own build script.
import type { Command } from 'commander';
import { placeholder } from './placeholder.js';

export const command: Command = placeholder('build', ['build']);
