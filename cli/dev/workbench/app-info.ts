// What the page shows of the app: what the App of `fw` says about itself, its environment and its settings.
import type { AppDescription } from '../../../framework/app/description/app-description.js';
import { parsePlace } from './places.js';
import type { AppInfo, SourcePlace } from './protocol.js';

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
    routes: app.routes.map(({ place, isDeprecated, isHidden, ...route }) => ({
      ...route,
      ...(isDeprecated && { deprecated: true as const }),
      ...(isHidden && { isHidden }),
      ...at(place),
    })),
    middleware: app.middleware.map(({ place, ...one }) => ({ ...one, ...at(place) })),
    settings: app.settings.map(({ place, ...one }) => ({ ...one, ...at(place) })),
    procedures: app.procedures.map(({ place, ...one }) => ({ ...one, ...at(place) })),
  };
}
