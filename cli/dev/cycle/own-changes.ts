// Changes that are not those of a watched file: what `fw dev` itself wrote, and restarts.
import { relative } from 'node:path';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import type { Change } from '../../watch/change.js';

export function manualRestart(): Change {
  return {
    what: 'restarted',
    files: [],
    rebuild: true,
    environment: true,
    atOnce: true,
    began: performance.now(),
  };
}

/** With the bundle that it had. */
export function restartOfCrashed(): Change {
  return { what: 'restarted', files: [], rebuild: false, environment: false, began: performance.now() };
}

/** Of the version that answers, without a bundle. */
export function restartFromSources(): Change {
  const what = 'started again without a bundle';
  return { what, files: [], rebuild: false, environment: false, began: performance.now() };
}

/** The last version that started, after a newer one has failed for which it had to end. */
export function restartOfGood(): Change {
  const what = 'the last good version started again';
  return { what, files: [], rebuild: false, environment: false, began: performance.now() };
}

export function written(files: AbsolutePath[], root: string): Change {
  const what = `${files.map((file) => relative(root, file)).join(', ')} written`;
  return { what, files, rebuild: true, environment: false, began: performance.now() };
}
