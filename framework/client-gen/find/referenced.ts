// Inference: the files that a source references with `/// <reference path="…" />`.
import { dirname, resolve } from 'node:path';

export function referenced(file: string, references: readonly { readonly fileName: string }[]): string[] {
  return references.map(({ fileName }) => resolve(dirname(file), fileName));
}
