// What was accepted and ignored: it is refused when it is registered, with the remedy.
import { expect, it } from 'vitest';
import { OpenApiSpec } from '../openapi/openapi-spec.js';
import { RpcRegistry } from '../rpc/registry/registry.js';
import { App } from './app.js';

const bearer = { bearer: { type: 'http', scheme: 'bearer' } } as const;

it('mount refuses an App, and takes its fetch', async () => {
  const inner = () => new App().get('/', () => 'inner');
  expect(() => new App().mount('/in', inner())).toThrow("write route('/in', app)");
  const app = new App().mount('/in', inner().fetch);
  expect(await (await app.fetch(new Request('http://x/in'))).text()).toBe('inner');
});

it('serveDocs refuses what describes an API beside a document that is finished', () => {
  const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {} };
  for (const source of [document, new OpenApiSpec('A', '1')]) {
    expect(() => new App().serveDocs('/docs', source, { title: 'B' })).toThrow(
      "the option 'title' of serveDocs",
    );
    expect(() => new App().serveDocs('/docs', source, { security: bearer })).toThrow("the option 'security'");
    new App().serveDocs('/docs', source, {});
  }
  new App().serveDocs('/docs', new RpcRegistry(), { title: 'B', security: bearer });
});

it('generateOpenapi of JSON-RPC refuses schemes, which belong to single procedures', () => {
  expect(() => new RpcRegistry().generateOpenapi('A', '1', '/rpc', { security: bearer })).toThrow(
    'openApiFromApp(app)',
  );
  RpcRegistry.withMode('rest').generateOpenapi('A', '1', '/rpc', { security: bearer });
});
