// Looks for routes and procedures that change data and are open to everybody, though others need somebody signed in.
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { type Finding, ok, warning } from './finding.js';

const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'query', 'subscription'];
const mostNamed = 5;

export function checkRoutes({ routes, procedures }: AppDescription): Finding {
  const all = [
    ...routes
      // One route for all procedures of a registry, which are looked at themselves.
      .filter(({ handler }) => handler !== 'mountRpc')
      .map((route) => ({ ...route, name: `${route.method === '*' ? 'ANY' : route.method} ${route.path}` })),
    ...procedures.map((procedure) => ({ ...procedure, method: procedure.kind, name: procedure.name })),
  ];
  const guarded = all.filter(({ guards }) => guards.length > 0).length;
  if (guarded === 0) return ok('routes', `${all.length} routes and procedures, all open to everybody`);
  const open = all.filter(
    ({ method, guards, isExcepted }) =>
      guards.length === 0 && isExcepted !== true && !reading.includes(method),
  );
  if (open.length === 0) {
    return ok(
      'routes',
      `${all.length} routes and procedures, ${guarded} of them for those who are signed in`,
    );
  }
  const named = open.slice(0, mostNamed).map(({ name }) => name);
  const more = open.length > mostNamed ? ` and ${open.length - mostNamed} more` : '';
  return warning(
    'routes',
    `everybody may call ${named.join(', ')}${more}, which may change data`,
    'guard them, or close the app with requireAuth({ except: […] }), which names what is open on purpose',
  );
}
