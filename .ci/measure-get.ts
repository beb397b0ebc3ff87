// Prints what one GET of a small app enters, by V8's precise coverage, once it has answered a few: measure-house.ts runs it.
import { Agent, get } from 'node:http';
import inspector from 'node:inspector';
import { promisify } from 'node:util';
import { App } from '../framework/index.js';

const app = new App().get('/hello/:name', (ctx) => ({ hello: ctx.req.param('name') }));
const server = await app.listen(0);
/** One connection, as clients keep it. */
const agent = new Agent({ keepAlive: true });

function request(): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ port: server.port, path: '/hello/you', agent }, (response) => {
      response.resume();
      response.once('end', resolve);
    }).once('error', reject);
  });
}

for (let i = 0; i < 3; i++) await request();
const session = new inspector.Session();
session.connect();
const post = promisify(session.post).bind(session) as (name: string, params?: object) => Promise<unknown>;
await post('Profiler.enable');
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await request();
await new Promise((resolve) => setTimeout(resolve, 50));
const { result } = (await post(
  'Profiler.takePreciseCoverage',
)) as inspector.Profiler.TakePreciseCoverageReturnType;
const entered = result
  .filter(({ url }) => url.includes('/framework/'))
  // The first range of a file is its top level, which ran when it was loaded.
  .map(({ url, functions }) => ({
    url,
    count: functions.filter(
      ({ ranges }) => ranges[0] !== undefined && ranges[0].startOffset > 0 && ranges[0].count > 0,
    ).length,
  }))
  .filter(({ count }) => count > 0);
session.disconnect();
agent.destroy();
await server.close();
console.log(
  JSON.stringify({ files: entered.length, functions: entered.reduce((all, { count }) => all + count, 0) }),
);
