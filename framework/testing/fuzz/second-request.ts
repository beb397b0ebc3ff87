// Fuzzing: what only a second request tells: whether HEAD is answered like GET, and whether what was made is there.
import type { Detail } from '../../api-model/detail.js';
import type { RequestPlan } from '../../api-model/request-plan.js';
import type { Caller } from './caller.js';
import { checkArrival, headFinding } from './checks.js';
import type { FuzzResponse } from './fuzz-answer.js';
import type { FuzzCase } from './fuzz-case.js';
import type { Finding } from './fuzz-check.js';

export async function secondFinding(
  { target }: Detail,
  one: FuzzCase,
  plan: RequestPlan,
  response: FuzzResponse,
  caller: Caller,
): Promise<Finding | undefined> {
  if (target.kind !== 'http' || one.broken !== undefined) return undefined;
  if (one.extra === 'head' && target.method === 'GET') {
    const answer = await caller.send(plan, { method: 'HEAD' });
    return answer.kind === 'response' ? headFinding(response, answer) : checkArrival(answer);
  }
  const location = response.headers.get('location');
  if (response.status !== 201 || location === null || !URL.canParse(location, plan.url)) return undefined;
  const { origin, pathname, search } = new URL(location, plan.url);
  if (origin !== new URL(plan.url).origin) return undefined;
  const made = { ...plan, method: 'GET', url: origin + pathname + search, headers: [], body: undefined };
  const answer = await caller.send(made);
  if (answer.kind !== 'response' || (answer.status !== 404 && answer.status < 500)) return undefined;
  return {
    check: 'resource',
    message: `answered 201 with Location: ${location}, which is answered ${answer.status}`,
  };
}
