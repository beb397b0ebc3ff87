// Inference: the files that a source imports, as TypeScript 7 resolves them.
import type { Project } from 'typescript/unstable/sync';
import { referenced } from './referenced.js';

export function ts7Imports(file: string, { program, checker }: Project): readonly string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return [];
  const modules = source.imports.length === 0 ? [] : checker.getSymbolAtLocation(source.imports);
  const imported = modules.flatMap((module) => module?.declarations.map(({ path }) => path as string) ?? []);
  return [...imported, ...referenced(file, source.referencedFiles)];
}
