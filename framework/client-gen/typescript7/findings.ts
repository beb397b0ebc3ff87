// Inference: the errors of TypeScript 7 in a project's settings and files.
import { readFileSync } from 'node:fs';
import type * as Api from 'typescript/unstable/sync';
import type { Program } from 'typescript/unstable/sync';
import type { Finding } from '../compiler/compiler.js';
import { placeOf } from '../compiler/place-of.js';
import { settingsErrors } from '../compiler/settings-findings.js';

export function ts7SettingsErrors(config: string, program: Program): readonly Finding[] {
  const faults = program.getConfigFileParsingDiagnostics();
  return settingsErrors(
    config,
    faults.map(({ fileName, pos, text, code }) => ({ file: fileName, offset: pos, text, code })),
  );
}

export function ts7Errors(
  files: readonly string[],
  program: Program,
  { DiagnosticCategory }: typeof Api,
): readonly Finding[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      .filter(({ category }) => category === DiagnosticCategory.Error)
      .map(({ pos, text: message, code }) => ({
        place: placeOf(file, text, pos),
        message: `${message} (TS${code})`,
      }));
  });
}
