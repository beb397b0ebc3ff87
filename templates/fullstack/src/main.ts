// Starts the server, or the processes of the server. On Ctrl+C or SIGTERM it drains: it says that it is not ready, finishes
// the requests in flight, then exits.
import './log.ts';
import { runWorkers } from 'fw/cluster';
import { log } from 'fw/tracing';
import { createApp } from './app.ts';
import { migrationsOf, openDatabase } from './database/database.ts';
import { envOrExit } from './env.ts';
import { servePage } from './page.ts';
import { makeServices } from './services.ts';
import { Telemetry } from './telemetry.ts';

const env = envOrExit();
const telemetry = new Telemetry(env);

await runWorkers(
  env.WORKERS,
  async (shutdown) => {
    const db = await openDatabase(env.DATABASE_URL);
    const services = makeServices(env, db, telemetry);
    const app = createApp(env, services)
      .withMigrations(migrationsOf(db))
      .onStart(() => services.start())
      // Balancers learn from /health that others should get the requests, before this process refuses them.
      .drainDelay(env.DRAIN_SECONDS * 1000);
    servePage(app);
    await app.listenWithShutdown(`${env.HOST}:${env.PORT}`, shutdown);
    log.info('drained');
  },
  { primary: telemetry.metricsServer },
);
