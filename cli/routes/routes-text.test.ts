import { pathToFileURL } from 'node:url';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { routeRows, routesText } from './list-routes.js';

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
});
