// What the hooks for sources have to know, in the URL by which Node loads them.

import process from 'node:process';
import { pathToFileURL } from 'node:url';

export interface SourceSettings {
  /** The folder of the app. */
  readonly root: string;
  /** The file for which `require.main === module` is true. */
  readonly entry: string;
  /** Where compiled sources are kept. */
  readonly cache: string;
}

const KEY = 'fw';

/** @param file the program with the hooks */
export function hooksUrl(file: string, settings: SourceSettings): string {
  const url = pathToFileURL(file);
  url.searchParams.set(KEY, JSON.stringify(settings));
  return url.href;
}

export function settingsOf(url: string): SourceSettings {
  return JSON.parse(new URL(url).searchParams.get(KEY) ?? '') as SourceSettings;
}

/**
 * Says in `process.features.typescript` that this process takes all of TypeScript, as Node.js does with
 * `--experimental-transform-types` (https://nodejs.org/api/process.html#processfeaturestypescript).
 */
export function declareTypeScript(): void {
  Object.defineProperty(process.features, 'typescript', {
    value: 'transform',
    enumerable: true,
    configurable: true,
  });
}
