// Inference: the files that a source imports, as TypeScript 7 resolves them.
import type { Project } from 'typescript/unstable/sync';
import { referenced } from '../find/referenced.js';

/**
 * The names of the program: where the disk ignores case, declarations have theirs in lower case.
 *
 * @param file its name
 */
export function ts7Imports(file: string, { program, checker }: Project): readonly string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return [];
  const modules = source.imports.length === 0 ? [] : checker.getSymbolAtLocation(source.imports);
  const paths = modules.flatMap((module) => module?.declarations.map(({ path }) => path) ?? []);
  const imported = paths.map((path) => program.getSourceFile(path)?.fileName ?? path);
  return [...imported, ...referenced(file, source.referencedFiles)];
}
