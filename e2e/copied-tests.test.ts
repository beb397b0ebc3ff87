// What the page about the app copies as a test compiles and passes in apps of the templates without an exported App; that of
// rpc, which has one, is in workbench.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asTest } from '../cli/dev/workbench/page/copies/test-copy.js';
import type { RequestDetail } from '../cli/dev/workbench/protocol.js';
import { testSetup } from '../cli/dev/workbench/test-setup.js';
import { run, scaffold } from './packed.js';

const refused: RequestDetail = {
  id: 1,
  began: 0,
  method: 'GET',
  target: '/no-such-page?q=1',
  origin: 'http://127.0.0.1:3000',
  status: 404,
  requestHeaders: [
    ['Accept-Language', 'en'],
    ['Authorization', '••••••'],
    ['X-Trace', '1'],
  ],
  responseHeaders: [['content-type', 'application/json']],
  responseBody: { size: 40, type: 'application/json' },
  steps: [],
  log: [],
};

describe.each(['basic', 'rpc', 'api-only', 'fullstack', 'production'])(
  'an app of the template %s',
  (template) => {
    test('takes a copied test', async () => {
      const app = await scaffold({ template, name: 'shop' });
      const setup = testSetup(app, join(app, 'src/main.ts'));
      expect(setup).toMatchObject({
        runner: 'vitest',
        gives: /basic|rpc/.test(template) ? 'app' : 'testApp',
      });
      writeFileSync(join(app, 'src/copied.test.ts'), asTest(refused, setup));
      const types = await run('npx', ['tsc', '--noEmit'], { cwd: app });
      expect(types.stdout).toBe('');
      const result = await run('npx', ['vitest', 'run', 'src/copied.test.ts'], { cwd: app });
      expect(`${result.stdout}${result.stderr}`).toMatch(/1 passed/);
    });
  },
);
