// Describes the app of this process, if it is an App of `fw`: it announces itself when it listens.
import diagnostics from 'node:diagnostics_channel';
import type { AnnouncedApp } from '../../../framework/app/app-channel.js';
import { describeError } from '../../process/app-error.js';
import type { ToWorker, WorkerNews } from '../../process/messages.js';

let announced: AnnouncedApp | undefined;
/** Set if the app is only looked at. */
let whenFound: (() => void) | undefined;

/** Call it before the app runs. */
export function awaitApp(): void {
  diagnostics.subscribe('fw:app', (app) => {
    // The first one is most likely the one behind the port of `fw dev`.
    announced ??= app as AnnouncedApp;
    if (whenFound === undefined) return;
    announced.isOnlyDescribed = true;
    whenFound();
  });
}

/** The app must not start; `found` is called when it can be described. */
export function onlyDescribe(found: () => void): void {
  whenFound = found;
}

/** The answer to the question. Never rejects. */
export async function describeApp({
  id,
  what,
}: ToWorker & { fw: 'describe' }): Promise<WorkerNews & { fw: 'described' }> {
  try {
    const app = await (what === 'app' ? announced?.describe() : announced?.describeApi());
    return { fw: 'described', id, ...(app !== undefined && { app }) };
  } catch (error) {
    return { fw: 'described', id, problem: describeError(error).title };
  }
}
