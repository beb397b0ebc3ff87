// The files of one client: TypeScript, or JavaScript with declarations, or both.
import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import { CliError, UsageError } from '../terminal/errors.js';

export interface ClientFiles {
  /** The client as TypeScript. */
  readonly source?: AbsolutePath;
  /** The client as JavaScript, with its declarations and their map. */
  readonly declared?: DeclaredFiles;
}

export interface DeclaredFiles {
  readonly script: AbsolutePath;
  readonly types: AbsolutePath;
  readonly map: AbsolutePath;
}

/**
 * @param output the path that the user gave; its extension decides
 * @param declarations whether a TypeScript client is written as JavaScript with declarations too
 * @throws UsageError, CliError
 */
export function clientFiles(output: string, declarations: boolean): ClientFiles {
  const name = basename(output);
  if (/\.d\.m?ts$/.test(name)) {
    throw new UsageError(
      `${output} is a declaration file, which is only a part of a client`,
      `name ${name.replace(/\.d\.(m?)ts$/, '.$1js')}: its declarations are written next to it`,
    );
  }
  if (!/\.(?:[cm]?ts|tsx|m?js)$/.test(name)) {
    throw new UsageError(
      `${output} is not a TypeScript file or an ES module`,
      `name it, for example, ${basename(output, extname(output))}.ts`,
    );
  }
  const ending = /\.(m?)([jt])s$/.exec(name);
  if (ending?.[2] === 'j') return { declared: alone(output) };
  const source = absolutePath(output);
  if (!declarations) return { source };
  if (ending === null) {
    throw new UsageError(
      `--declarations needs an output that ends in .ts or .js, not ${output}`,
      'rename the output',
    );
  }
  return { source, declared: declaredFiles(output.replace(/ts$/, 'js')) };
}

/** All of them. */
export function pathsOf({ source, declared }: ClientFiles): AbsolutePath[] {
  return [...(source === undefined ? [] : [source]), ...Object.values(declared ?? {})];
}

/** The path that the program gets for the client; the declarations are written next to it. */
export function pendingClient(outDir: string): string {
  return join(outDir, 'client.ts');
}

function declaredFiles(script: string): DeclaredFiles {
  const types = script.replace(/\.(m?)js$/, '.d.$1ts');
  return { script: absolutePath(script), types: absolutePath(types), map: absolutePath(`${types}.map`) };
}

/** TypeScript prefers a `.ts` to a `.d.ts`: programs would be checked with an old client. */
function alone(script: string): DeclaredFiles {
  const files = declaredFiles(script);
  const source = script.replace(/js$/, 'ts');
  if (existsSync(source)) {
    throw new CliError(`${source} exists, and TypeScript would read it instead of ${basename(files.types)}`, {
      help: `delete it, or give the client a name other than ${basename(script)}`,
    });
  }
  return files;
}
