// What bundles for Workers answer if they run somewhere else, and what serveDocs asks for there.
import { describe, expect, it } from 'vitest';
import { docsPage } from '../docs-page/index.js';
import { TestClient } from '../testing/index.js';
import * as absent from './absent-on-workers.js';
import { App } from './app.js';
import { assertPage } from './docs/docs-entry.js';

const NO_SERVER =
  'this bundle has no server, because it was made for Workers; write: export default app, or bundle without the condition workerd';

/** It looks at no argument. */
const call = (absent: unknown): unknown => (absent as () => unknown)();

describe('a bundle for Workers', () => {
  it.each([
    ['listen', () => call(absent.listen), NO_SERVER],
    ['listenUntil', () => call(absent.listenUntil), NO_SERVER],
    ['serveUntil', () => call(absent.serveUntil), NO_SERVER],
    ['answerUpgrade', () => call(absent.answerUpgrade), NO_SERVER],
    ['serveOn', () => absent.serveOn({ name: 'Bun' }), 'this process does not run on Bun; use app.listen()'],
    ['describeApp', () => absent.describeApp(), NO_SERVER],
    ['SocketContract', () => new absent.SocketContract(), NO_SERVER],
    ['FileServer', () => new absent.FileServer('/public'), /^static files: Workers have no files; /],
    ['docsRoutesOf', () => absent.docsRoutesOf(), /import \{ docsPage \} from 'fw\/docs-page'/],
  ])('has no %s', async (_name, use, message) => {
    await expect(async () => use()).rejects.toThrow(message);
  });

  it('needs the page of serveDocs as an option', () => {
    expect(() => assertPage('/docs', undefined, 'Workers')).toThrow(
      "serveDocs('/docs'): bundles for Workers have no page by themselves; import { docsPage } from 'fw/docs-page', and give it as the option page",
    );
    assertPage('/docs', docsPage, 'Workers');
    assertPage('/docs', undefined, 'Node.js');
  });
});

describe('serveDocs with the option page', () => {
  it('shows what that describes', async () => {
    const app = new App().get('/users', () => []);
    const client = new TestClient(app.serveDocs('/docs', app, { title: 'Users', page: docsPage }));
    expect((await client.get('/docs/openapi.json')).json()).toMatchObject({
      info: { title: 'Users' },
      paths: { '/users': {} },
    });
  });

  it('takes nothing else', () => {
    expect(() => new App().serveDocs('/docs', new App(), { page: {} as never })).toThrow(
      "docsPage of 'fw/docs-page'",
    );
  });
});
