import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import {
  type CheckedProgram,
  checkAll,
  compilers,
  options,
  rest,
  restUse,
  types,
  use,
} from '../conformance/checked-client.js';
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

  it.each(compilers)(
    'are enough for a program under the strictest options of %s',
    (compiler) => {
      const programs = modes.map(
        ({ mode, program }): CheckedProgram => [{ 'client.d.ts': printDeclaredClient(types, mode) }, program],
      );
      expect(checkAll(compiler, programs)).toBe('');
      const client = { 'client.d.ts': printDeclaredClient(types, rest) };
      const wrong = `${restUse}new FwRpcClient().nothing();`;
      expect(checkAll(compiler, [[client, wrong]])).toContain('TS2339');
    },
    60_000,
  );
});
