// Inference: the app's tsconfig.json, as TypeScript 6 reads it.
import { dirname } from 'node:path';
import type * as Ts from 'typescript-6';
import type { Finding } from '../compiler/compiler.js';
import { settingsErrors } from '../compiler/settings-findings.js';

export interface Settings {
  readonly options: Ts.CompilerOptions;
  readonly fileNames: string[];
  readonly faults: readonly Finding[];
}

export function readSettings(ts: typeof Ts, config: string): Settings {
  const source = ts.readJsonConfigFile(config, ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonSourceFileConfigFileContent(
    source,
    ts.sys,
    dirname(config),
  );
  const { parseDiagnostics = [] } = source as { parseDiagnostics?: readonly Ts.Diagnostic[] };
  // TypeScript reports some of them twice.
  const faults = [...new Set([...parseDiagnostics, ...errors])].map(({ file, start, messageText, code }) => ({
    file: file?.fileName,
    offset: start,
    text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    code,
  }));
  return { options, fileNames, faults: settingsErrors(config, faults) };
}
