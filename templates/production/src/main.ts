// Starts the server, or the processes of the server. On Ctrl+C or SIGTERM it drains: it says that it is not ready,
// finishes the requests and jobs in flight, then exits.
import './log.ts';
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { shutdownSignal } from 'fw';
import { log } from 'fw/tracing';
import { createApp } from './app.ts';
import { drainRequested, runWorkers } from './cluster.ts';
import { databaseOrExit } from './database/database.ts';
import { type Env, envOrExit } from './env.ts';
import { queueOf } from './jobs/jobs.ts';
import { metricsApp, metricsOfWorkers } from './operations/metrics.ts';
import { startTracing } from './operations/tracing.ts';
import { startServices } from './services.ts';

// From the first line on: the first process of a container ignores signals that nobody handles.
const shutdown = Promise.race([shutdownSignal(), drainRequested()]);
const env = envOrExit();

// `fw dev` runs the app in a process of its own, and replaces it on every change.
const isDevelopment = process.env.NODE_ENV === 'development';
const isAlone = env.WORKERS === 1 || isDevelopment;
const servesMetrics = env.METRICS_PORT !== undefined;
if (!isAlone && cluster.isPrimary) await serveByWorkers();
else await serve(env);

async function serveByWorkers(): Promise<void> {
  log.info({ workers: env.WORKERS }, `Starting ${env.WORKERS} processes on http://${env.HOST}:${env.PORT}`);
  const metrics = await serveMetrics(metricsOfWorkers());
  try {
    await runWorkers(env.WORKERS, shutdown, log);
  } catch (err) {
    log.fatal({ err }, 'the app cannot start; the log of its workers says why');
    process.exitCode = 1;
  }
  await metrics.close();
}

async function serve({ HOST, PORT, DATABASE_URL, DRAIN_SECONDS }: Env): Promise<void> {
  const stopTracing = startTracing(env);
  const db = await databaseOrExit(DATABASE_URL);
  const services = await startServices(env, db, queueOf(env, db, log), log);
  const { health, metrics } = services;
  const app = await createApp(env, services);

  if (servesMetrics) metrics.collectProcess();
  if (cluster.isWorker) metrics.shareWithPrimary();
  const own = cluster.isWorker
    ? { close: async () => {} }
    : await serveMetrics(() => metrics.registry.metrics());

  // Balancers learn from /health/ready that others should get the requests, before this process refuses them.
  const drained = shutdown.then(async () => {
    health.drain();
    log.info({ seconds: DRAIN_SECONDS }, 'draining');
    await sleep(DRAIN_SECONDS * 1000);
  });
  await app.listenWithShutdown(`${HOST}:${PORT}`, drained);
  await own.close();
  await stopTracing();
  log.info({}, 'drained');
  // Its connection to the process that started it would keep this one alive.
  cluster.worker?.disconnect();
}

async function serveMetrics(read: () => Promise<string>): Promise<{ close(): Promise<void> }> {
  if (!servesMetrics) return { close: async () => {} };
  return metricsApp(read).listen(`${env.HOST}:${env.METRICS_PORT}`);
}
