import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { options, rest } from '../conformance/checked-client.js';
import { combinations } from '../conformance/client-combinations.js';
import { runtimeFile } from '../conformance/client-form.js';
import { printClient } from './print-client.js';
import { runtimeOf } from './runtime-parts.js';

describe('the run time of a client', () => {
  it('is what its functions refer to, and exports what its types name', () => {
    const { parts, exported } = runtimeOf(
      ['belowBaseUrl'],
      'export type A = FwSocketData<"FwSocketError">; // it',
    );
    expect(parts.map(({ name }) => name)).toEqual(['FwRpcConnection', 'FwSocketData', 'belowBaseUrl']);
    expect([...exported]).toEqual(['FwSocketData']);
  });

  it('exports classes that its functions use, with the types in their declarations', () => {
    const { exported } = runtimeOf(['openSocket'], '');
    for (const name of ['FwSocket', 'FwSocketError', 'FwSocketState']) expect(exported).toContain(name);
    for (const name of ['FwSocketLink', 'FwSocketQueue']) expect(exported).not.toContain(name);
  });

  it('cannot be asked for what it does not have', () => {
    expect(() => runtimeOf(['nothing'], '')).toThrow('the run time of clients has no nothing');
  });
});

describe('a client that imports its run time', () => {
  it('is about a tenth as long as one that has it', () => {
    const [, types] = combinations().find(([name]) => name === 'query') ?? [];
    if (types === undefined) throw new Error('there is no such client');
    const lines = (form: 'standalone' | 'import') => printClient(types, { ...rest, form }).split('\n').length;
    expect(lines('import')).toBeLessThan(lines('standalone') / 5);
  });

  it('imports no module of Node.js, and leaves nothing in a bundle that does not use it', () => {
    const bundle = (contents: string) =>
      buildSync({
        stdin: { contents, resolveDir: import.meta.dirname },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        treeShaking: true,
        alias: { 'fw/client': runtimeFile },
      }).outputFiles[0]?.text ?? '';
    expect(bundle("import * as runtime from 'fw/client'; console.log(runtime);")).not.toMatch(
      /\bimport\b|require\(/,
    );
    expect(bundle("import { FwRpcHttpError } from 'fw/client';")).toBe('');
  });

  it('has in a bundle nothing of what it does not call', () => {
    const [, types] = combinations().find(([name]) => name === 'query') ?? [];
    if (types === undefined) throw new Error('there is no such client');
    const { outputFiles } = buildSync({
      stdin: {
        contents: `${printClient(types, { ...options, form: 'import' })}\nconsole.log(new FwRpcClient());`,
        loader: 'ts',
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      format: 'esm',
      alias: { 'fw/client': runtimeFile },
    });
    const [file] = outputFiles;
    expect(file?.text).toContain('function FwRpcClient');
    expect(file?.text).not.toMatch(/FwSocket|TextDecoder|FormData|FwRouteError/);
  });
});
