import { expect, it } from 'vitest';
import { isFailedCall, statusOfCall } from './failed-calls.js';

it.each([
  [{ kind: 'outgoing', fields: { status: '200' } }, 200, false],
  [{ kind: 'outgoing', fields: { status: '399' } }, 399, false],
  [{ kind: 'outgoing', fields: { status: '400' } }, 400, true],
  [{ kind: 'outgoing', fields: {}, error: 'Error: connect ECONNREFUSED' }, undefined, true],
  [{ kind: 'outgoing', fields: { status: '200' }, error: 'Error: aborted' }, 200, true],
  // It runs yet.
  [{ kind: 'outgoing', fields: {} }, undefined, false],
  [{ kind: 'outgoing' }, undefined, false],
  [{ kind: 'span', fields: { status: '500' }, error: 'Error: x' }, undefined, false],
] as const)('%j has status %s, failed: %s', (step, status, hasFailed) => {
  expect([statusOfCall(step), isFailedCall(step)]).toEqual([status, hasFailed]);
});
