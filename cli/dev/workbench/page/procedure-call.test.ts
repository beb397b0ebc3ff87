import { describe, expect, it } from 'vitest';
import type { ProcedureInfo } from '../app-info.js';
import type { RequestDetail, RequestSummary } from '../protocol.js';
import { callDraft, isCallable, routeDraft, sessionFor } from './procedure-call.js';

const procedure: ProcedureInfo = {
  name: 'tasks.add',
  kind: 'mutation',
  input: '{ title: string }',
  output: 'Task',
  types: 'schema',
  example: { title: 'text' },
  method: 'POST',
  path: '/rpc',
  protocol: 'json-rpc',
  guards: [],
};
const session = {
  requestHeaders: [
    ['Cookie', 'sid=••••••'],
    ['X-CSRF-Token', '••••••'],
    ['User-Agent', 'Mozilla'],
    ['Content-Type', 'application/json'],
  ],
} as unknown as RequestDetail;

describe('callDraft', () => {
  it('calls with an input of the type, signed in as the newest request to the same path', () => {
    const draft = callDraft(procedure, session);
    expect(draft).toMatchObject({
      method: 'POST',
      target: '/rpc',
      headers: [
        ['Content-Type', 'application/json'],
        ['Cookie', 'sid=••••••'],
        ['X-CSRF-Token', '••••••'],
      ],
    });
    expect(JSON.parse(draft.body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks.add',
      params: { title: 'text' },
    });
    const { example: _, ...without } = procedure;
    expect(JSON.parse(callDraft(without, undefined).body ?? '')).not.toHaveProperty('params');
  });

  it('writes the input of a query that has a path of its own as parameters', () => {
    const rest = { ...procedure, method: 'GET', path: '/api/tasks', protocol: 'rest' as const };
    const example = { q: 'a b', page: 2, tags: ['x', 'y'] };
    expect(callDraft({ ...rest, example }, undefined)).toEqual({
      method: 'GET',
      target: '/api/tasks?q=a+b&page=2&tags=x&tags=y',
      headers: [],
    });
    expect(callDraft({ ...rest, method: 'POST' }, undefined)).toMatchObject({
      target: '/api/tasks',
      headers: [['Content-Type', 'application/json']],
      body: '{\n  "title": "text"\n}',
    });
  });

  it('finds the newest request to the same path', () => {
    const calls = [{ procedure: 'a', outcome: 'ok' }];
    const all = [
      { id: 1, target: '/rpc?call=a', calls },
      { id: 2, target: '/rpc', calls },
      { id: 3, target: '/rpcs', calls },
      { id: 4, target: '/rpc' },
    ] as unknown as RequestSummary[];
    expect(sessionFor(procedure, all)?.id).toBe(2);
    expect(sessionFor({ ...procedure, path: '/other' }, all)).toBeUndefined();
  });
});

it('offers no call of a stream, and a GET for a route of any method', () => {
  expect([isCallable(procedure), isCallable({ ...procedure, kind: 'subscription' })]).toEqual([true, false]);
  const route = { method: '*', path: '/a/:id', handler: '', extractors: [], guards: [], middleware: [] };
  expect(routeDraft(route)).toEqual({ method: 'GET', target: '/a/:id', headers: [] });
});
