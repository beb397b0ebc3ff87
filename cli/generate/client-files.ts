// The files of one client: TypeScript, or JavaScript with declarations, or both.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CliError, UsageError } from '../ui/errors.js';

/** Absolute paths. */
export interface ClientFiles {
  /** The client as TypeScript. */
  readonly source?: string;
  /** The client as JavaScript, and what an editor needs with it. */
  readonly declared?: DeclaredFiles;
}

export interface DeclaredFiles {
  readonly script: string;
  readonly types: string;
  readonly map: string;
}

/**
 * @param output as it was asked for: its ending decides.
 * @param declarations whether a client in TypeScript is wanted as JavaScript too.
 * @throws UsageError, CliError
 */
export function clientFiles(output: string, declarations: boolean): ClientFiles {
  const name = basename(output);
  if (/\.d\.m?ts$/.test(name)) {
    throw new UsageError(
      `${output} names declarations, and a client is more`,
      `name ${name.replace(/\.d\.(m?)ts$/, '.$1js')}: its declarations are written beside it`,
    );
  }
  const ending = /\.(m?)([jt])s$/.exec(name);
  if (ending?.[2] === 'j') return { declared: alone(output) };
  if (!declarations) return { source: output };
  if (ending === null) {
    throw new UsageError(`--declarations: ${output} is no name to write them beside`, 'end it in .ts or .js');
  }
  return { source: output, declared: declaredFiles(output.replace(/ts$/, 'js')) };
}

/** Where the program is told to write the client; its declarations are beside it. */
export function pendingClient(outDir: string): string {
  return join(outDir, 'client.ts');
}

function declaredFiles(script: string): DeclaredFiles {
  const types = script.replace(/\.(m?)js$/, '.d.$1ts');
  return { script, types, map: `${types}.map` };
}

/** TypeScript reads a `.ts` before a `.d.ts`: an old client would be the one that programs are checked with. */
function alone(script: string): DeclaredFiles {
  const files = declaredFiles(script);
  const source = script.replace(/js$/, 'ts');
  if (existsSync(source)) {
    throw new CliError(
      `${source} is there, and TypeScript would read it in place of ${basename(files.types)}`,
      {
        help: `delete it, or give the client another name than ${basename(script)}`,
      },
    );
  }
  return files;
}
