import { expect, it } from 'vitest';
import { acceptsHtml } from './registration.js';

it.each([
  undefined,
  '',
  ' ',
  '*/*',
  'text/html',
  'TEXT/HTML; q=0.1',
  'text/*;q=0.5, image/png',
  'image/png, */*; q=0.001',
  'text/html;level=1, text/plain',
  'text/html, text/html;q=0',
])('accepts a page: %j', (accept) => expect(acceptsHtml(accept)).toBe(true));

it.each([
  'application/json',
  'text/html;q=0',
  'text/html;q=0, */*',
  'text/*;q=0.0, */*',
  'text/html;q=2',
  'text/html;q=x',
  'text/htmlx, application/xhtml+xml',
  'image/*',
  ';q=1',
])('does not accept a page: %j', (accept) => expect(acceptsHtml(accept)).toBe(false));
