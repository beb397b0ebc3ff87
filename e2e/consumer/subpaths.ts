// A program that imports every subpath of the package, compiled against the tarball and run.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import * as core from 'fw';
import * as accounts from 'fw/accounts';
import * as apiKey from 'fw/api-key';
import * as bun from 'fw/bun';
import * as client from 'fw/client';
import * as clientGen from 'fw/client-gen';
import * as cluster from 'fw/cluster';
import * as compression from 'fw/compression';
import * as csrf from 'fw/csrf';
import * as deno from 'fw/deno';
import * as docsPage from 'fw/docs-page';
import * as env from 'fw/env';
import settingsSchema from 'fw/fw-toml.schema.json' with { type: 'json' };
import * as jwt from 'fw/jwt';
import * as kysely from 'fw/kysely';
import * as lambda from 'fw/lambda';
import * as mail from 'fw/mail';
import * as mcp from 'fw/mcp';
import * as metrics from 'fw/metrics';
import * as middleware from 'fw/middleware';
import * as oidc from 'fw/oidc';
import * as opentelemetry from 'fw/opentelemetry';
import manifest from 'fw/package.json' with { type: 'json' };
import * as password from 'fw/password';
import * as redis from 'fw/redis';
import * as rpc from 'fw/rpc';
import * as session from 'fw/session';
import * as testing from 'fw/testing';
import * as testingWebsocket from 'fw/testing/websocket';
import * as tracing from 'fw/tracing';
import * as websocket from 'fw/websocket';

const { App, Context, FwError, FwResponse, toNodeHandler } = core;
assert.equal(typeof metrics.prometheus, 'function');

const users = new App<'/orgs/:org'>().get('/users', (ctx) => ctx.text(ctx.req.param('org')));
const app: core.App = new App().route('/orgs/:org', users);
const spec: rpc.OpenApiSpec = rpc.openApiFromApp(new App(), { title: 'x', version: '1' });
assert.equal(JSON.parse(spec.toJson()).info.title, 'x');
// An App that is typed for its prefix has a document too.
rpc.openApiFromApp(users, { title: 'x', version: '1' });

const echo = websocket.websocket({ onMessage: (socket, message) => void socket.send(message) });
new App().websocket('/echo', echo).serveDocs('/docs', app, { page: docsPage.docsPage });

createServer(toNodeHandler(app));
await assert.rejects(bun.listen(app, 0), { code: 'FW_RUNTIME' });
await assert.rejects(deno.listen(app, 0), { code: 'FW_RUNTIME' });
assert.throws(() => lambda.streamHandle(app), { code: 'FW_RUNTIME' });
const called = lambda.handle(app)({ httpMethod: 'GET', path: '/orgs/a/users', requestContext: {} });
assert.equal((await called).body, 'a');
// @ts-expect-error a text is not an App
assert.throws(() => toNodeHandler('nonsense'));
// @ts-expect-error nor is what only looks like one
assert.throws(() => toNodeHandler({ fetch: () => new Response() }));
// @ts-expect-error the document is made of an App
assert.throws(() => rpc.openApiFromApp({}, { title: 'x', version: '1' }));

// What stacks and logs show.
for (const [name, value] of Object.entries({
  ...core,
  ...accounts,
  ...apiKey,
  ...cluster,
  ...csrf,
  ...env,
  ...jwt,
  ...mail,
  ...mcp,
  ...middleware,
  ...oidc,
  ...opentelemetry,
  ...redis,
  ...rpc,
  ...session,
  ...testing,
  ...websocket,
  ...testingWebsocket,
})) {
  if (/^[A-Z]/.test(name) && typeof value === 'function') assert.equal(value.name, name);
}
assert.match(`${FwError.notFound('gone').stack}`, /^NotFound: gone|^FwError: gone/);
assert.ok([App, Context, FwResponse].every((one) => typeof one === 'function'));
assert.ok(
  [client, clientGen, compression, kysely, password, tracing].every((one) => Object.keys(one).length > 0),
);
assert.equal(settingsSchema.title, 'fw.toml');
assert.deepEqual(Object.keys(manifest.exports).sort(), [
  '.',
  './accounts',
  './api-key',
  './bun',
  './client',
  './client-gen',
  './cluster',
  './compression',
  './csrf',
  './deno',
  './docs-page',
  './drizzle',
  './env',
  './fw-toml.schema.json',
  './jwt',
  './kysely',
  './lambda',
  './mail',
  './mcp',
  './metrics',
  './middleware',
  './oidc',
  './opentelemetry',
  './package.json',
  './password',
  './redis',
  './rpc',
  './session',
  './testing',
  './testing/websocket',
  './tracing',
  './websocket',
]);
