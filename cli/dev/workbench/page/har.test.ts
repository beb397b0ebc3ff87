import { expect, it } from 'vitest';
import type { RequestDetail } from '../protocol.js';
import { asHar, harName } from './har.js';

const detail: RequestDetail = {
  id: 1,
  began: 1_700_000_000_000,
  method: 'POST',
  target: '/Tasks/7?q=a%20b&token=••••••',
  origin: 'http://127.0.0.1:3000',
  status: 303,
  durationMs: 12.5,
  route: '/tasks/:id',
  requestHeaders: [['Cookie', 'sid=••••••; theme=dark']],
  requestBody: { size: 9, type: 'image/png' },
  responseHeaders: [['Location', '/tasks']],
  responseBody: { size: 70_000, type: 'text/html', text: '<p>', isCut: true },
  steps: [{ kind: 'database', name: 'select 1', start: 1, end: 2, depth: 1 }],
  log: [{ at: 1, level: 'warn', message: 'slow', fields: {} }],
  error: { title: 'Error: x', frames: [], details: '' },
};

it('is an HTTP Archive with what fw knows beside it', () => {
  const { log } = JSON.parse(asHar(detail, { version: '1.2.3' }));
  expect([log.version, log.creator, log.entries.length]).toEqual([
    '1.2',
    { name: 'fw', version: '1.2.3' },
    1,
  ]);
  const [entry] = log.entries;
  expect(entry).toMatchObject({
    startedDateTime: '2023-11-14T22:13:20.000Z',
    time: 12.5,
    timings: { send: 0, wait: 12.5, receive: 0 },
    _fw: { route: '/tasks/:id', steps: detail.steps, log: detail.log, error: detail.error },
  });
  expect(entry.request).toMatchObject({
    queryString: [
      { name: 'q', value: 'a b' },
      { name: 'token', value: '••••••' },
    ],
    cookies: [
      { name: 'sid', value: '••••••' },
      { name: 'theme', value: 'dark' },
    ],
    postData: { mimeType: 'image/png' },
  });
  expect(entry.response).toMatchObject({
    status: 303,
    redirectURL: '/tasks',
    content: { size: 70_000, mimeType: 'text/html', text: '<p>', comment: 'cut off' },
  });
});

it('has jobs under an address of their own', () => {
  const { status: _, requestBody: __, responseBody: ___, ...rest } = detail;
  const job: RequestDetail = { ...rest, isJob: true, method: 'JOB', target: 'job=tidy up', origin: '' };
  const [entry] = JSON.parse(asHar(job, { version: '1' })).log.entries;
  expect(entry).toMatchObject({
    request: { method: 'JOB', url: 'job:job%3Dtidy%20up', queryString: [] },
    response: { status: 0 },
    _fw: { isJob: true, steps: detail.steps, error: detail.error },
  });
  expect(harName(job)).toBe('job-job-tidy-up.har');
});

it.each([
  [{ target: '/Tasks/7?a=1' }, 'post-tasks-7.har'],
  [{ target: '/../../etc/passwd\u0000' }, 'post-etc-passwd.har'],
  [{ target: '/', method: 'GET' }, 'get.har'],
  [{ target: `/${'x'.repeat(500)}` }, `${`post-${'x'.repeat(500)}`.slice(0, 60)}.har`],
])('has a name that every file system takes: %#', (change, name) => {
  expect(harName({ ...detail, ...change })).toBe(name);
});
