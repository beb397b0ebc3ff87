// What the page shows of the app: what the App of `fw` says about itself, and its settings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppDescription } from '../../../framework/app/description/app-description.js';
import { parseSettings, positionOf } from '../../config/parse.js';
import { CliError } from '../../terminal/errors.js';
import type { AppInfo, ConfigInfo } from './app-info.js';
import { parsePlace, sourcePlace } from './places.js';
import type { SourcePlace } from './protocol.js';

type Described = Pick<AppInfo, 'isKnown' | 'routes' | 'middleware' | 'settings' | 'procedures'>;

/** @param app undefined for another server than that of `fw` */
export function describedApp(app: AppDescription | undefined, root: string): Described {
  if (app === undefined) return { isKnown: false, routes: [], middleware: [], settings: [], procedures: [] };
  const at = (place: string | undefined): { place?: SourcePlace } => {
    const found = parsePlace(place, root);
    return found === undefined ? {} : { place: found };
  };
  return {
    isKnown: true,
    routes: app.routes.map(({ place, isDeprecated, isHidden, middleware, ...route }) => ({
      ...route,
      middleware: middleware.map(({ place, name }) => ({ name, ...at(place) })),
      ...(isDeprecated && { deprecated: true as const }),
      ...(isHidden && { isHidden }),
      ...at(place),
    })),
    middleware: app.middleware.map(({ place, ...one }) => ({ ...one, ...at(place) })),
    settings: app.settings.map(({ place, ...one }) => ({ ...one, ...at(place) })),
    procedures: app.procedures.map(({ place, ...one }) => ({ ...one, ...at(place) })),
  };
}

/** Of the settings that fw.toml leaves out. */
const defaults: Readonly<Record<string, unknown>> = {
  'dev.backend_port': 3000,
  'dev.host': '127.0.0.1',
  'dev.hot_reload': true,
};

/**
 * The values of fw.toml with their lines, and the defaults that hold where it says nothing.
 * @param configFile undefined without a fw.toml; a file with a mistake, which the terminal shows, has no values
 */
export function configInfo(root: string, configFile: string | undefined): ConfigInfo[] {
  const set = new Map<string, { value: unknown; place: SourcePlace | undefined }>();
  // The file of the project is read before that which names the project, whose values win.
  for (const file of new Set([join(root, 'fw.toml'), ...(configFile === undefined ? [] : [configFile])])) {
    for (const [key, value, place] of valuesOf(file, root)) set.set(key, { value, place });
  }
  const missing = Object.entries(defaults).filter(([key]) => !set.has(key));
  return [
    ...[...set].map(([key, { value, place }]) => ({ key, value: shown(value), ...(place && { place }) })),
    ...missing.map(([key, value]) => ({ key, value: shown(value) })),
  ];
}

function valuesOf(
  file: string,
  root: string,
): [key: string, value: unknown, place: SourcePlace | undefined][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  try {
    return Object.entries(parseSettings(text, file)).flatMap(([table, values]) =>
      Object.entries(values).map(([key, value]) => {
        const place = sourcePlace({ file, ...positionOf(text, table, key) }, root);
        return [`${table}.${key}`, value, place] as [string, unknown, SourcePlace | undefined];
      }),
    );
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
