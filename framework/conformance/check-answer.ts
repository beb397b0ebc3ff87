// Conformance: compares an answer with what its case expects.
import { expect } from 'vitest';
import type { Answer, Case } from './case.js';

export function checkAnswer(one: Case, answer: Answer): void {
  expect(answer.status, answer.body).toBe(one.status);
  if (typeof one.body === 'string') expect(answer.body).toBe(one.body);
  else if (one.body !== undefined) expect(JSON.parse(answer.body)).toEqual(one.body);
  for (const [name, value] of Object.entries(one.headers ?? {}))
    expect(answer.headers[name], name).toBe(value);
  if (one.cookies) expect(answer.cookies).toEqual(one.cookies);
}
