// What `fw dev` opens before it starts anything: the ports, which it closes again if it cannot start.
import { loadEsbuild } from '../bundle/load-esbuild.js';
import { loadProject } from '../config/load.js';
import { checkUnanswered } from '../process/port-free.js';
import { listenError } from '../process/port-owner.js';
import type { ExitCode } from '../terminal/errors.js';
import { DevSession } from './dev-session.js';
import { checkFrontendPort } from './frontend/frontend-server.js';
import { type InspectProxy, openInspectProxy } from './inspect-proxy.js';
import { Listener } from './listener.js';
import { type DevFlags, type DevSettings, settleSettings } from './settings/dev-settings.js';

/**
 * Runs until a signal or a key ends it; returns the exit code.
 * @throws CliError if it cannot start
 */
export async function runDev(flags: DevFlags, cwd: string = process.cwd()): Promise<ExitCode> {
  const began = performance.now();
  const settings = settleSettings(flags, loadProject(cwd));
  const esbuild = await loadEsbuild(settings.root);
  if (settings.frontend) await checkFrontendPort(settings.frontend);
  const listener = await openListener(settings).catch(async (error) => {
    throw await listenError(error, settings.port, settings.host);
  });
  let session: DevSession | undefined;
  let inspect: InspectProxy | undefined;
  try {
    inspect = await openInspectProxy(settings.inspect, () => session?.inspectorPort);
    session = new DevSession({ flags, settings, esbuild, listener, inspect });
    await session.openWorkbench();
    return await session.run(began);
  } catch (error) {
    // A server that still listens keeps the process.
    inspect?.close();
    listener.close();
    throw error;
  }
}

/** @throws the error of `listen`, and EADDRINUSE if another program answers on the port */
async function openListener({ port, host }: DevSettings): Promise<Listener> {
  await checkUnanswered(port);
  return Listener.open(port, host);
}
