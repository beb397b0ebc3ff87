// The channel `fw:app`: an App that starts to listen tells tools of development that it can be described.
import diagnostics from 'node:diagnostics_channel';
import type { ApiDescription } from '../rpc/api-description.js';
import { isHeard } from '../tracing/trace-channel.js';
import type { AppDescription } from './description/app-description.js';

/** The message on the channel. */
export interface AnnouncedApp {
  /** Set by a tool that only looks at the App: it does not start, and no server listens. */
  isOnlyDescribed?: boolean;
  /** Loads the code that describes the App. */
  describe(): Promise<AppDescription>;
  /** Loads the code that describes what the App offers to callers. @throws ConfigError if it cannot be described */
  describeApi(): Promise<ApiDescription>;
}

const channel = diagnostics.channel('fw:app');

/** @returns whether a tool only looks at the App, which must not start then */
export function announceApp(app: AnnouncedApp): boolean {
  if (isHeard(channel)) channel.publish(app);
  return app.isOnlyDescribed === true;
}
