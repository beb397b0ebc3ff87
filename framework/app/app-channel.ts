// The channel `fw:app`: an App that starts to listen tells tools of development that it can be described.
import diagnostics from 'node:diagnostics_channel';
import { isHeard } from '../tracing/trace-channel.js';
import type { AppDescription } from './description/app-description.js';

/** The message on the channel. */
export interface AnnouncedApp {
  /** Loads the code that describes the App. */
  describe(): Promise<AppDescription>;
}

const channel = diagnostics.channel('fw:app');

export function announceApp(app: AnnouncedApp): void {
  if (isHeard(channel)) channel.publish(app);
}
