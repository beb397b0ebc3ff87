// The form of the clients that tests generate: the project `client-import` of vitest.config.ts runs them with the other.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ClientForm } from '../client/client-options.js';

export const form: ClientForm = process.env.FW_CLIENT_FORM === 'import' ? 'import' : 'standalone';

/** What clients import as `fw/client`. */
export const runtimeFile: string = fileURLToPath(new URL('../client/runtime/index.ts', import.meta.url));

/** A client as JavaScript, with the run time that it imports. */
export async function clientCode(text: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: text, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'node20',
    platform: 'neutral',
    alias: { 'fw/client': runtimeFile },
  });
  return outputFiles[0]?.text ?? '';
}
