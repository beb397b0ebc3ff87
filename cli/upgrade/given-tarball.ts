// A tarball of `fw` that the user names: its bytes, and the version that is in it.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { CliError } from '../terminal/errors.js';
import { isThisFramework } from '../vendor/fw-dependency.js';
import type { Tarball } from '../vendor/own-package.js';

/** @throws CliError for a file that is not a package, and for another package than this one */
export function readTarball(path: string): Tarball {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (cause) {
    throw new CliError(`cannot read ${path}: ${(cause as Error).message}`, {
      help: 'give the path of a tarball, for example: fw upgrade ../fw-1.0.0.tgz',
      cause,
    });
  }
  const manifest = manifestIn(content, path);
  if (manifest.name !== 'fw' || typeof manifest.version !== 'string' || !isThisFramework(manifest)) {
    throw new CliError(`${path} is the package ${String(manifest.name)}, not this framework`, {
      help: 'give a tarball that npm pack has made of fw',
    });
  }
  return { version: manifest.version, content };
}

function manifestIn(content: Buffer, path: string): Record<string, unknown> {
  try {
    // A copy that begins where its memory begins, as parseTar expects it.
    const entries = parseTar(new Uint8Array(gunzipSync(content)));
    const text = entries.find(({ name }) => name === 'package/package.json')?.text;
    if (text === undefined) throw new Error('it has no package/package.json');
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(`${path} is not the tarball of a package: ${(cause as Error).message}`, {
      help: 'download it again, or make it with npm pack in a clone of fw',
      cause,
    });
  }
}
