// The codes of configuration errors: a mistake that causes each one, and its line on the page of error codes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Jwt } from './auth/jwt/index.js';
import { App, ConfigError, type ConfigErrorCode, Json } from './index.js';
import { cors } from './middleware/index.js';
import { OpenApiSpec, RpcMode, RpcRegistry } from './rpc/index.js';

const handler = () => 'ok';

const mistakes: Record<ConfigErrorCode, () => unknown> = {
  FW_ROUTE_CONFLICT: () => new App().get('/a/:id', handler).get('/a/:name', handler),
  FW_ROUTE_PATTERN: () => new App().get('no-slash', handler),
  FW_HANDLER: () => new App().useMiddleware('logger' as never),
  FW_EXTRACTOR: () => new App().post('/a', {} as never, handler),
  FW_SCHEMA: () => Json({} as never),
  FW_MOUNT: () => new App().route('/a/', new App()),
  FW_REGISTERED_TOO_LATE() {
    const app = new App();
    void app.fetch(new Request('http://localhost/'));
    app.get('/late', handler);
  },
  FW_SETTING: () => new App().requestTimeout(-1),
  FW_OPTION: () => cors({ maxAge: -1 }),
  FW_SECRET: () => Jwt.hs256('short'),
  FW_ADDRESS: () => new App().listen('localhost'),
  FW_LISTENER: () => new App().serveWithShutdown(createServer(), Promise.resolve()),
  FW_STATIC_FILES() {
    const folder = mkdtempSync(join(tmpdir(), 'fw-codes-'));
    rmSync(folder, { recursive: true });
    new App().serveStatic('/assets', folder);
  },
  FW_RPC_PROCEDURE: () => new RpcRegistry().query('', handler),
  FW_RPC_TYPE: () => new RpcRegistry().defineType('User', '{ id: string }').defineType('User', 'string'),
  FW_RPC_MODE: () => new App().mountRpc('/rpc', RpcRegistry.withMode(RpcMode.Rest)),
  FW_RPC_MERGE: () => RpcRegistry.group('users').merge(RpcRegistry.group('posts')),
  FW_RPC_CONTRACT: () => new RpcRegistry().useContract({ version: 0 } as never),
  FW_RPC_ERROR: () => new RpcRegistry().query('a', { errors: { NotFound: {} } }, handler),
  FW_OPENAPI: () => new OpenApiSpec('', '1'),
};

const page = readFileSync(new URL('docs/error-codes.md', import.meta.url), 'utf8');

describe('the codes of configuration errors', () => {
  it.each(Object.entries(mistakes))('%s is thrown for a mistake', async (code, mistake) => {
    const thrown = await new Promise<unknown>((resolve) => {
      Promise.resolve().then(mistake).then(resolve, resolve);
    });
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(thrown).toMatchObject({ code, name: 'ConfigError' });
  });

  it('are all listed on their page, and no others', () => {
    const listed = [...page.matchAll(/^\| `(FW_[A-Z_]+)`/gm)].map(([, code]) => code);
    expect(listed.sort()).toEqual(Object.keys(mistakes).sort());
  });
});
