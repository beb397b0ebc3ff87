// The settings of an App with the places that set them.
import { CONNECTION_TIMEOUTS } from '../../runtime/connection-timeouts.js';
import type { Settings } from '../settings/settings.js';
import type { DescribedSetting } from './app-description.js';

export function describeSettings(settings: Settings): DescribedSetting[] {
  const { gracePeriodMs, connection } = settings;
  const { maxBodySize, requestTimeoutMs } = settings.limits;
  const times = Object.entries({ ...CONNECTION_TIMEOUTS, ...connection });
  const values: Readonly<Record<string, string>> = {
    maxBodySize: limited(maxBodySize, 'bytes'),
    requestTimeout: limited(requestTimeoutMs, 'ms'),
    shutdownGracePeriod: `${gracePeriodMs} ms`,
    connectionTimeouts: times.map(([name, ms]) => `${name} ${ms}`).join(', '),
    trustProxy: settings.trusted === undefined ? 'false' : JSON.stringify(settings.trusted),
  };
  const shown = Object.entries(values).map(([name, value]) => describe(settings, name, value));
  // Those without a value of their own: a database, a contract.
  const others = [...settings.places.keys()].filter((name) => !Object.hasOwn(values, name));
  return [...shown, ...others.map((name) => describe(settings, name, 'set'))];
}

function limited(limit: number | undefined, unit: string): string {
  return limit === undefined || limit === Number.POSITIVE_INFINITY ? 'unlimited' : `${limit} ${unit}`;
}

function describe({ places }: Settings, name: string, value: string): DescribedSetting {
  const place = places.get(name);
  return { name, value, ...(place !== undefined && { place: place() }) };
}
