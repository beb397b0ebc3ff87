import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript-6';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check, options, rest, restUse, types, use } from '../conformance/checked-client.js';
import { printClient } from './print-client.js';
import { printDeclaredClient } from './print-declared-client.js';

const modes = [
  { mode: options, program: use },
  { mode: rest, program: restUse },
];

/** Formats both texts alike and removes the line about the generator. */
function laidOut(text: string): string {
  const file = ts.createSourceFile(
    'client.d.ts',
    text.replace(/^\/\/ Generated.*\n/, ''),
    ts.ScriptTarget.Latest,
  );
  return ts.createPrinter().printFile(file).replaceAll(/\s+/g, ' ').replaceAll(', }', ' }');
}

describe('the declarations of a client', () => {
  it.each(modes)('are those that tsc emits: $mode.mode', ({ mode }) => {
    const { outputText, diagnostics } = ts.transpileDeclaration(printClient(types, mode), {
      fileName: 'client.ts',
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, strict: true },
    });
    expect(diagnostics).toEqual([]);
    expect(laidOut(printDeclaredClient(types, mode))).toBe(laidOut(outputText));
  });

  it.each(['typescript', 'typescript-6', 'typescript-5.9'] as const)(
    'are enough for a program under the strictest options of %s',
    (compiler) => {
      const directory = mkdtempSync(join(tmpdir(), 'fw-declared-'));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      for (const { mode, program } of modes) {
        const client = { 'client.d.ts': printDeclaredClient(types, mode) };
        expect(check(directory, compiler, client, program)).toBe('');
      }
      expect(check(directory, compiler, {}, `${restUse}new FwRpcClient().nothing();`)).toContain('TS2339');
    },
    60_000,
  );
});
