// The context of a request that matches a route.
import { Context } from '../context/context.js';
import { refuseFields } from '../context/refused-fields.js';
import type { RequestSource } from '../http/request-source.js';
import { MatchedTarget, type Target } from '../http/request-target.js';
import { nameObjects } from '../options/own-objects.js';
import type { MatchedRoute, RouteMatch } from './unmatched.js';

refuseFields(Context.prototype);
nameObjects(Context, 'the context');

/** @param found the target, or the route whose path the server has matched */
export function routeContext(
  { value, params }: RouteMatch,
  found: Target | MatchedRoute,
  source: RequestSource,
): Context {
  const { scope, pattern } = value;
  const target = 'method' in found ? new MatchedTarget(found.path, source) : found;
  const ctx = new Context(source, target, scope, pattern.names, params);
  ctx.route = value;
  return ctx;
}
