import { afterEach, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { callSite } from './call-site.js';

const limit = Error.stackTraceLimit;
afterEach(() => {
  Error.stackTraceLimit = limit;
});

it('names the line that called, at whatever depth of stacks the application has set', () => {
  const register = () => callSite(register);
  for (const depth of [0, 1, 10, 33, Number.POSITIVE_INFINITY]) {
    Error.stackTraceLimit = depth;
    const place = register();
    expect(place()).toMatch(/call-site\.test\.ts:\d+:\d+$/);
    expect(Error.stackTraceLimit).toBe(depth);
  }
});

it('leaves the depth of stacks as it was after a registration', () => {
  const app = new App().get('/', () => 'ok');
  expect(Error.stackTraceLimit).toBe(limit);
  app.requireAuth({ except: ['/'] }).post('/', () => 'ok');
  expect(Error.stackTraceLimit).toBe(limit);
});
