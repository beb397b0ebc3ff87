// An app of the template production under traffic and disturbances: a minute in CI, hours by npm run soak.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../framework/conformance/databases.js';
import { hasRedis } from '../../framework/conformance/redis/trial-redis.js';
import { buildImage, type Image } from '../dockerfile.js';
import { scaffold, temporaryDirectory } from '../packed.js';
import { soak } from './soak.js';

const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');
const hasServers = process.platform === 'linux' && postgres?.missing === undefined && (await hasRedis());
const { FW_SOAK_MINUTES, FW_SOAK_BREAK = '' } = process.env;
const minutes = Number(FW_SOAK_MINUTES ?? 0);

describe.skipIf(!hasServers)('an app of the template production', () => {
  let app: string;
  let image: Image;
  beforeAll(async () => {
    app = await scaffold({ template: 'production', name: 'soaked' });
    image = buildImage(app, join(temporaryDirectory('fw-image'), 'soaked'));
  });

  it('holds what it has promised, whatever is disturbed', { timeout: (minutes + 15) * 60_000 }, async () => {
    // In a long run the app is left alone for longer after each disturbance.
    const roundSeconds = minutes > 2 ? 15 : 6;
    const { table, faults } = await soak({
      app,
      image,
      minutes,
      roundSeconds,
      sabotages: FW_SOAK_BREAK.split(',').filter(Boolean),
      say: (line) => console.log(`${new Date().toISOString()} ${line}`),
    });
    console.log(['', table, `faults: ${faults.length}`, ...faults].join('\n'));
    expect(faults.join('\n')).toBe('');
  });
});
