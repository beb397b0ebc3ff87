import { pathToFileURL } from 'node:url';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { routeRows, routesSummary, routesText } from './list-routes.js';

const route = {
  middleware: [],
  isDeprecated: false,
  isHidden: false,
  handler: '',
  extractors: [],
  guards: [],
};
const app: AppDescription = {
  routes: [
    {
      ...route,
      method: 'GET',
      path: '/users/:id',
      handler: 'getUser',
      extractors: ["Path('id')"],
      place: '/app/src/a.ts:3:1',
    },
    {
      ...route,
      method: '*',
      path: '/x\u001b[2J',
      guards: ['scopes: admin'],
      place: `${pathToFileURL('/app/src/b.ts').href}:40:2`,
    },
  ],
  middleware: [],
  settings: [],
  procedures: [
    {
      name: 'users.list',
      kind: 'query',
      input: 'void',
      output: 'void',
      types: 'schema',
      method: 'POST',
      path: '/rpc',
      protocol: 'json-rpc' as const,
      guards: ['signed in'],
      place: 'unknown place',
    },
    {
      name: 'users_list',
      kind: 'query',
      input: 'void',
      output: 'void',
      types: 'schema',
      method: 'POST',
      path: '/mcp',
      protocol: 'mcp' as const,
      guards: [],
      place: 'unknown place',
    },
  ],
};
const plain = picocolors.createColors(false);

describe('the table of routes', () => {
  it('has a line for each route and procedure, without what could control a terminal', () => {
    expect(routesText(routeRows(app, '/app', ''), plain, 200).split('\n')).toEqual([
      'METHOD  PATH             WHO MAY CALL   EXTRACTORS  HANDLER  SOURCE',
      "GET     /users/:id       anyone         Path('id')  getUser  src/a.ts:3",
      'ANY     /x\ufffd[2J           scopes: admin                       src/b.ts:40',
      'query   users.list       signed in',
      'tool    /mcp users_list  anyone',
    ]);
  });

  it('stacks the facts of a route in a narrow terminal', () => {
    expect(routesText(routeRows(app, '/app', 'GET'), plain, 40)).toBe(
      "GET /users/:id\n    anyone\n    Path('id')\n    getUser\n    src/a.ts:3",
    );
  });

  it('is stacked below 90 columns', () => {
    const firstLine = (width: number) => routesText(routeRows(app, '/app', ''), plain, width).split('\n')[0];
    expect(firstLine(90)).toMatch(/^METHOD /);
    expect(firstLine(89)).toBe('GET /users/:id');
  });

  it('has no column that is empty everywhere', () => {
    expect(routesText(routeRows(app, '/app', 'signed'), plain, 200).split('\n')).toEqual([
      'METHOD  PATH        WHO MAY CALL',
      'query   users.list  signed in',
    ]);
  });

  it('has the routes in whose texts every word of a search is', () => {
    const paths = (search: string) => routeRows(app, '/app', search).map(({ path }) => path);
    expect(paths('users')).toEqual(['/users/:id', 'users.list', '/mcp users_list']);
    expect(paths('QUERY signed')).toEqual(['users.list']);
    expect(paths('users admin')).toEqual([]);
    expect(paths('any ADMIN')).toEqual(['/x\u001b[2J']);
    expect(paths(' GETUSER ')).toEqual(['/users/:id']);
  });

  it('has a place without a column, and only where it is known', () => {
    const placeOf = (place: string) =>
      routeRows(
        { ...app, routes: [{ ...route, method: 'GET', path: '/', place }], procedures: [] },
        '/app',
        '',
      )[0]?.source;
    expect(placeOf('/app/src/a.ts:12:3')).toBe('src/a.ts:12');
    expect(placeOf('/app/src/a.ts:12:345')).toBe('src/a.ts:12');
    expect(placeOf('/app/src/a.ts:12:3)')).toBe('');
    expect(placeOf('/app/a:1:2/b.ts:12:3')).toBe('a:1:2/b.ts:12');
    expect(placeOf('/app/two\nlines.ts:1:1')).toBe('two\nlines.ts:1');
    expect(placeOf('/other/a.ts:1:1')).toBe('../other/a.ts:1');
    for (const place of ['', '/app/a.ts', '/app/a.ts:1', '/app/a.ts:1:x', '/app/a.ts:1234567890:1'])
      expect(placeOf(place)).toBe('');
  });

  it('marks the method at the beginning of a line, and the titles', () => {
    const colored = picocolors.createColors(true);
    const lines = routesText(routeRows(app, '/app', 'GETUSER'), colored, 200).split('\n');
    expect(lines[0]).toBe(colored.dim('METHOD  PATH        WHO MAY CALL  EXTRACTORS  HANDLER  SOURCE'));
    expect(lines[1]?.startsWith(`${colored.cyan('GET')}     /users`)).toBe(true);
    const narrow = routesText(routeRows(app, '/app', 'signed'), colored, 40);
    expect(narrow).toBe(`${colored.cyan('query')} users.list\n${colored.dim('    signed in')}`);
  });
});

describe('the last line', () => {
  const summary = (search: string) => routesSummary(routeRows(app, '/app', search), search);

  it('counts routes, procedures and tools, and what anyone may call', () => {
    expect(summary('')).toBe('2 routes, 1 procedure, and 1 tool, 2 open to anyone');
    expect(summary('admin')).toBe("1 route and 0 procedures with 'admin', 0 open to anyone");
    expect(summary('nothing')).toBe("0 routes and 0 procedures with 'nothing', 0 open to anyone");
  });

  it.each(['query', 'mutation', 'subscription'])('counts a %s as a procedure', (kind) => {
    const procedures = app.procedures.slice(0, 1).map((one) => ({ ...one, kind: kind as 'query' }));
    const rows = routeRows({ ...app, routes: [], procedures }, '/app', '');
    expect(routesSummary(rows, '')).toBe('0 routes and 1 procedure, 0 open to anyone');
  });
});
