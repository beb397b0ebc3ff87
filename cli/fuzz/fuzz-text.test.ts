import { describe, expect, it } from 'vitest';
import { plainColors } from '../terminal/color.js';
import { foundText, nothingFound, operationsText } from './fuzz-text.js';

const operation = (name: string, accepted: number, requests = 20) => ({
  name,
  requests,
  accepted,
  statuses: {},
});
const report = {
  seed: 7,
  requests: 21,
  operations: [operation('GET /', 20), operation('POST /users/:id', 1, 1)],
  failures: [],
  notes: [],
};

describe('the lines of the operations', () => {
  it('say how many requests each has accepted', () => {
    expect(operationsText(report, plainColors).split('\n')).toEqual([
      'GET /            20 requests, 20 accepted',
      'POST /users/:id  1 request, 1 accepted',
    ]);
    expect(operationsText({ operations: [] }, plainColors)).toBe('');
  });

  it('are followed by those that accepted nothing, with the remedy', () => {
    const one = operationsText(
      { operations: [operation('GET /', 20), operation('GET /me', 0)] },
      plainColors,
    );
    expect(one.split('\n').slice(3)).toEqual([
      'warning: GET /me accepted none: what is behind its checks was not tried',
      expect.stringMatching(/^help: sign in with --header /),
    ]);
    const two = operationsText({ operations: [operation('GET /a', 0), operation('GET /b', 0)] }, plainColors);
    expect(two.split('\n').slice(3)).toEqual([
      'warning: 2 operations accepted none: what is behind their checks was not tried',
      '  GET /a',
      '  GET /b',
      expect.stringMatching(/^help: sign in with --header /),
    ]);
  });

  it('show what controls a terminal as escapes, and stay lines', () => {
    const text = operationsText({ operations: [operation('GET /\u001b[2J\n\u202e', 0)] }, plainColors);
    expect(text.split('\n')[0]).toBe('GET /\\x1b[2J\\n\\u202e  20 requests, 0 accepted');
    expect(['\u001b', '\u202e'].filter((one) => text.includes(one))).toEqual([]);
  });
});

describe('the result', () => {
  it('has the seed', () => {
    expect(nothingFound(report)).toBe('nothing found in 21 requests to 2 operations; seed: 7');
    expect(
      nothingFound({ ...report, notes: ['a\u001b[2J', 'b'] })
        .split('\n')
        .slice(1),
    ).toEqual([expect.stringMatching(/^note: a/), 'note: b']);
    expect(nothingFound({ ...report, notes: ['\u001b'] })).not.toContain('\u001b');
    expect(foundText('1 failure\n\n1) GET /\u001b', report, false, plainColors)).toBe(
      '1 failure\n\n1) GET /\\x1b\n\nto repeat it: npx fw fuzz --seed 7',
    );
    expect(foundText('1 failure', report, true, plainColors)).toMatch(
      /npx fw fuzz --seed 7, with the same address and options$/,
    );
  });
});
