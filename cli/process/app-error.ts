// Turns whatever the app threw into text that can be sent to the supervisor.
import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readThrown, type Thrown, thrownLines } from '../../framework/tracing/thrown.js';
import { importRemedy } from './import-remedy.js';
import type { AppError } from './messages.js';
import { packageRoot } from './package-root.js';
import { placeOfImport } from './place-of-import.js';

export function describeError(error: unknown): AppError {
  const app = describe(readThrown(error), placeOfImport(error));
  const faults = faultsOf(error);
  if (faults === undefined) return app;
  const { facts: _, causes: __, ...rest } = app;
  return { ...rest, details: '', faults };
}

/** @param first frames in front of those of the stack */
function describe(thrown: Thrown, first: readonly string[] = []): AppError {
  const { name, title, message, code, cause, errors } = thrown;
  if (name === undefined) return { title: `thrown: ${title}`, frames: [], details: '' };
  const frames = thrown.frames.some(isAppFrame) ? [...thrown.frames] : [...first, ...thrown.frames];
  const shown = isRefusal(thrown) ? [...thrown.places] : appFrames(frames, thrown.places);
  const folded = frames.filter((frame) => !shown.includes(frame)).length;
  const facts = factLines(thrown).join('\n');
  const causes = [...(cause === undefined ? [] : [cause]), ...errors].map((one) => describe(one));
  return {
    title: title === name ? name : `${name}: ${plainMessage(message, typeof code === 'string' ? shown : [])}`,
    frames: shown,
    ...(folded > 0 && { folded }),
    details: details(thrown),
    ...(typeof code === 'string' && { code }),
    ...(facts !== '' && { facts }),
    ...(causes.length > 0 && { causes }),
  };
}

/** Undefined if they are not there, or a getter throws. */
function faultsOf(error: unknown): AppError['faults'] | undefined {
  try {
    const { faults } = error as { faults?: AppError['faults'] };
    return faults !== undefined && areFaults(faults) ? faults : undefined;
  } catch {
    return undefined;
  }
}

/** The `faults` of the framework's own error about types; an error of the app may use that name for something else. */
function areFaults(faults: unknown): boolean {
  return (
    Array.isArray(faults) &&
    faults.every(
      (one) => typeof one?.message === 'string' && ['string', 'undefined'].includes(typeof one.place),
    )
  );
}

/** Adds a remedy for what cannot be imported. @param places that are shown below the message */
function plainMessage(message: string, places: readonly string[]): string {
  const plain = withoutImporter(message, places);
  const remedy = importRemedy(plain);
  return remedy === undefined ? plain : `${plain}\n${remedy}`;
}

const IMPORTER = /^([^\n]*) imported from ([^\n]+)/;

/** Removes the path of the bundle, which the user did not write, and that of a file whose place is shown. */
function withoutImporter(message: string, places: readonly string[]): string {
  const [whole = '', start = '', importer = ''] = IMPORTER.exec(message) ?? [];
  // Folders above the app may have spaces.
  const isBundle = /[\\/]\.fw[\\/]dev-\d+[\\/][^\\/\s]+$/.test(importer);
  const url = isAbsolute(importer) ? pathToFileURL(importer).href : importer;
  const isShown = url !== '' && places.some((place) => place.includes(`${url}:`));
  return isBundle || isShown ? start + message.slice(whole.length) : message;
}

/**
 * Whether the framework has refused a request: what lies around it in the stack is middleware that has nothing to do with
 * it. An error of the database is about the line that ran the statement, whatever its status.
 */
function isRefusal({ frames, members }: Thrown): boolean {
  const of = new Map(members);
  if (!of.has('variant') || of.has('sql') || !/^4\d\d$/.test(String(of.get('status')))) return false;
  const thrower = frames.find((frame) => !/^at (?:new |Function\.)?FwError\b/.test(frame));
  return thrower === undefined || !isAppFrame(thrower);
}

/** Own properties and causes: what `console.error` would show in addition to the stack. */
function details(thrown: Thrown): string {
  const lines = factLines(thrown);
  if (thrown.cause !== undefined) lines.push(...labelled('cause: ', ownLines(thrown.cause)));
  for (const error of thrown.errors) lines.push(...labelled('- ', ownLines(error)));
  return lines.join('\n');
}

/** Own properties. */
function factLines({ members }: Thrown): string[] {
  const isOfFw = members.some(([name]) => name === 'variant');
  if (!members.some(([name]) => !UNSHOWN.has(name))) return [];
  return members
    .filter(([name]) => name !== 'url' && !(isOfFw && SAID.has(name)))
    .flatMap(([name, value]) => labelled(`${name}: `, typeof value === 'string' ? [value] : ownLines(value)));
}

/** Members of an FwError that its response shows. */
const SAID: ReadonlySet<string> = new Set(['variant', 'status', 'issues']);

/** Members that say nothing by themselves: the code is in the message, and the URL is that of the bundle. */
const UNSHOWN: ReadonlySet<string> = new Set(['code', 'url']);

function ownLines(thrown: Thrown): string[] {
  return thrownLines(thrown).filter((line) => !/^ +at /.test(line) || isAppFrame(line.replace(/^ +/, '')));
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? label + line : line));
}

/**
 * The frames of the app. Without any, the places of what has refused a request before the app ran, or the frames of
 * packages, or all of them.
 */
function appFrames(frames: string[], places: readonly string[]): string[] {
  const own = frames.filter(isAppFrame);
  if (own.length > 0) return own;
  if (places.length > 0) return [...places];
  const packaged = frames.filter((frame) => !isOutside(frame));
  return packaged.length > 0 ? packaged : frames;
}

// The folder of this file, the shared chunks, and the built files and sources of the package.
const ownFolders = [
  ...['./', '../chunks/'].map((path) => new URL(path, import.meta.url).href),
  ...packageFolders(),
];

function packageFolders(): string[] {
  try {
    return ['dist', 'cli'].map((folder) => `${pathToFileURL(join(packageRoot(), folder)).href}/`);
  } catch {
    // Outside of a package, as in tests that bundle only the worker.
    return [];
  }
}

/** Of the sources of the app, and not of a package. */
export function isAppFrame(frame: string): boolean {
  return !isOutside(frame) && !/[\\/]node_modules[\\/]/.test(frame);
}

/** Of Node.js, or of fw itself. */
function isOutside(frame: string): boolean {
  if (/(?:\(|^at (?:async )?)node:/.test(frame) || /\((?:<anonymous>|index \d{1,9})\)$/.test(frame))
    return true;
  return ownFolders.some((folder) => frame.includes(folder) || frame.includes(fileURLToPath(folder)));
}
