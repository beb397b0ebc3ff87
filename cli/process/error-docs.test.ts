import { expect, it } from 'vitest';
import { plainColors } from '../terminal/color.js';
import { appErrorLines } from './app-error-lines.js';
import { docsCommands, errorPage } from './error-docs.js';
import type { AppError } from './messages.js';

const error = (code?: string, causes?: AppError[]): AppError => ({
  title: 'Error: no',
  frames: [],
  details: '',
  ...(code !== undefined && { code }),
  ...(causes !== undefined && { causes }),
});

it('knows the codes that have a page', () => {
  expect(errorPage(error('FW_ENV'))).toBe('errors/FW_ENV');
  for (const code of [undefined, 'FW_OF_AN_APP', 'ECONNREFUSED', 'FW_ENV/../FW_ENV', 'fw_env'])
    expect(errorPage(error(code))).toBeUndefined();
});

it('names the pages of an error and its causes, each once', () => {
  const shown = error('FW_MAIL_FAILED', [error('FW_SECRET'), error('FW_MAIL_FAILED', [error('EPIPE')])]);
  expect(docsCommands(shown)).toEqual(['fw docs FW_MAIL_FAILED', 'fw docs FW_SECRET']);
  expect(appErrorLines(shown, '/', plainColors)).toContain('  see: fw docs FW_SECRET');
});
