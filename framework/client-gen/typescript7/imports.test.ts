// The imports of a file, where the disk ignores case: TypeScript 7 has declarations in lower case there, and files not.
import type { Project } from 'typescript/unstable/sync';
import { expect, it } from 'vitest';
import { ts7Imports } from './name.js';

it('names imported files as the program does', () => {
  const files = ['/Users/me/src/main.ts', '/Users/me/src/tasks.ts'];
  const source = (name: string) => {
    const fileName = files.find((file) => file.toLowerCase() === name.toLowerCase());
    return fileName && { fileName, imports: [{}], referencedFiles: [] };
  };
  const project = {
    program: { getSourceFile: source },
    checker: {
      getSymbolAtLocation: () => [{ declarations: [{ path: '/users/me/src/tasks.ts' }] }, undefined],
    },
  } as unknown as Project;
  expect(ts7Imports('/Users/me/src/main.ts', project)).toEqual(['/Users/me/src/tasks.ts']);
});
