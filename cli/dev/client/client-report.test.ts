// The messages about the client: each is printed once.
import picocolors from 'picocolors';
import { beforeEach, expect, it } from 'vitest';
import { absolutePath } from '../../../framework/files/absolute-path.js';
import type { Outcome } from '../../generate/outcome.js';
import { ClientReport } from './client-report.js';

let output: string;
let report: ClientReport;
beforeEach(() => {
  output = '';
  report = new ClientReport('/app', {
    colors: picocolors.createColors(false),
    isTTY: false,
    clear: () => {},
    print: (line) => {
      output += `${line.replace(/^\d\d:\d\d:\d\d {2}/, '')}\n`;
    },
  });
});

const good: Outcome = { ok: true, written: [], change: undefined, warnings: [] };
const failed = (message: string, line = 1): Outcome => ({
  ok: false,
  findings: [{ message, place: { file: absolutePath('/app/src/rpc.ts'), line, column: 1 } }],
});

function said(...outcomes: Outcome[]): string {
  output = '';
  for (const outcome of outcomes) {
    report.take(outcome);
    report.show();
  }
  return output.replaceAll('\\', '/');
}

it('prints nothing if nothing was written', () => expect(said(good, good)).toBe(''));

it('names the files that were written', () => {
  expect(said({ ...good, written: [absolutePath('/app/src/client.ts')], change: undefined })).toBe(
    'src/client.ts written\n',
  );
  expect(
    said({
      ...good,
      written: ['/app/a.js', '/app/a.d.ts'].map((file) => absolutePath(file)),
      change: { procedures: 1, breaking: [] },
    }),
  ).toBe('a.js and 1 more written · 1 procedure changed\n');
});

it.each([
  [0, ['base URL changed to "/api"'], 'base URL changed to "/api"'],
  [2, ['routes changed'], '2 procedures changed · routes changed'],
  [0, undefined, 'no procedure changed'],
])('says what changed if %i procedures did', (procedures, others, expected) => {
  const change = { procedures, breaking: [], ...(others !== undefined && { others }) };
  expect(said({ ...good, written: [absolutePath('/app/client.ts')], change })).toBe(
    `client.ts written · ${expected}\n`,
  );
});

it('lists the changes that break older clients', () => {
  const breaking = [
    'a: the query was removed',
    'b.input.x: new required field',
    'c.output: was 1, is 2',
    'd: …',
  ];
  const written: Outcome = {
    ...good,
    written: [absolutePath('/app/client.ts')],
    change: { procedures: 4, breaking },
  };
  expect(said(written)).toBe(
    [
      'client.ts written · 4 procedures changed',
      'breaks older clients: a: the query was removed',
      'breaks older clients: b.input.x: new required field',
      'breaks older clients: c.output: was 1, is 2',
      'and 1 more',
      '',
    ].join('\n'),
  );
});

it('prints a failure once, even if its line moved, and when it is fixed', () => {
  const first = said(failed("input.at of 'seen' is a Map"));
  expect(first).toMatch(
    /^client: not generated\n\nerror: input\.at of 'seen' is a Map\n {2}src\/rpc\.ts:1:1\n/,
  );
  expect(first).toMatch(/the client file was left unchanged\n$/);
  expect(said(failed("input.at of 'seen' is a Map", 7))).toBe('');
  expect(said(failed('something else'))).toContain('something else');
  expect(said(good)).toBe('client: no errors\n');
  expect(said(good)).toBe('');
});

it('leaves errors of the compiler to the type check', () => {
  const wrong = failed("Cannot find name 'Nope'. (TS2304)");
  expect(said(wrong, wrong)).toBe('client: not generated while src/rpc.ts has type errors\n');
});

it('does not print a failure if the server fails too, until it is asked to', () => {
  report.take(failed('bad'));
  expect(output).toBe('');
  report.take({ ok: true, isUnaffected: true });
  report.show();
  expect(output).toContain('bad');
});

it('prints warnings when they change', () => {
  const warned: Outcome = {
    ...good,
    warnings: [
      { message: 'output is any', place: { file: absolutePath('/app/src/rpc.ts'), line: 1, column: 1 } },
    ],
  };
  expect(said(warned, warned)).toMatch(/^warning: output is any\n/);
  expect(output.match(/output is any/g)).toHaveLength(1);
});

it('explains why there is no generator', () => {
  expect(said({ ok: false, problem: 'TypeScript 5.4.2 is not supported' })).toBe(
    'client: not generated: TypeScript 5.4.2 is not supported\n',
  );
});
