// Inference: the files that a source imports, as TypeScript 5.9 and 6 resolve them.
import type Ts from 'typescript-6';
import { referenced } from '../find/referenced.js';

export function ts6Imports(file: string, program: Ts.Program, ts: typeof Ts): readonly string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return [];
  const options = program.getCompilerOptions();
  const imported = ts.preProcessFile(source.text, true, true).importedFiles.flatMap(({ fileName }) => {
    const { resolvedModule } = ts.resolveModuleName(fileName, file, options, ts.sys);
    return resolvedModule === undefined ? [] : [resolvedModule.resolvedFileName];
  });
  return [...imported, ...referenced(file, source.referencedFiles)];
}
