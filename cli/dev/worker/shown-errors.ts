// Errors that the app prints while it runs under `fw dev`: the line of the app with its code, its own frames, and those of
// packages as a count. Its stacks are long enough to reach that line, and failed statements have their parameters.
import diagnostics from 'node:diagnostics_channel';
import type { FailedQuery } from '../../../framework/sql/database-errors.js';
import type { Display } from '../../../framework/tracing/displayed.js';
import { describeError } from '../../process/app-error.js';
import { appErrorLines, placeLine } from '../../process/app-error-lines.js';
import { plainColors, terminalColors } from '../../terminal/color.js';
import { shownParameters } from './recording/steps.js';

/** Frames of packages and of the framework may lie in front of the first one of the app. */
const STACK_LIMIT = 50;

/** @param root the folder of the app */
export function showErrors(root: string): void {
  // One that the developer has chosen, by a flag of Node, stays.
  if (Error.stackTraceLimit === 10) Error.stackTraceLimit = STACK_LIMIT;
  diagnostics.subscribe('fw:display', (message) => {
    const display = message as Display;
    display.text = textOf(display, root);
  });
  diagnostics.subscribe('fw:failed-query', (message) => addParameters(message as FailedQuery));
}

function textOf({ error, hasStack, hasColours }: Display, root: string): string {
  const shown = describeError(error);
  const colors = hasColours ? terminalColors : plainColors;
  return hasStack
    ? appErrorLines(shown, root, colors).slice(1).join('\n').replace(/^ +/, '')
    : placeLine(shown, root, colors);
}

/** Never in production: they are values of users. */
function addParameters({ error, ...statement }: FailedQuery): void {
  const shown = shownParameters(statement);
  if (shown.length === 0 || 'parameters' in error) return;
  Object.defineProperty(error, 'parameters', { value: shown, enumerable: true });
}
