// Templates as the package has them: in one compressed file, because they share most of their text, and a list.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Template, TemplateFile } from './templates.js';

interface PackedFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: true;
}

const indexName = 'index.json';
const filesName = 'files.json.br';

/**
 * The files of dist/templates by their names.
 * @throws TypeError if a file of a template is not text
 */
export function packTemplates(templates: readonly Template[]): Map<string, Uint8Array> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const files: Record<string, PackedFile[]> = {};
  for (const { name, read } of templates) {
    files[name] = read().map(({ path, content, executable }) => ({
      path,
      text: utf8.decode(content),
      ...(executable && { executable }),
    }));
  }
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const index = templates.map(({ name, description }) => ({ name, description }));
  return new Map([
    [filesName, brotliCompressSync(JSON.stringify(files), { params })],
    [indexName, Buffer.from(JSON.stringify(index))],
  ]);
}

/** @param folder dist/templates of the package */
export function listPackedTemplates(folder: string): Template[] {
  const index = JSON.parse(readFileSync(join(folder, indexName), 'utf8')) as Omit<Template, 'read'>[];
  return index.map(({ name, description }) => ({ name, description, read: () => filesOf(name, folder) }));
}

function filesOf(name: string, folder: string): TemplateFile[] {
  const bytes = brotliDecompressSync(readFileSync(join(folder, filesName)));
  const files = JSON.parse(bytes.toString('utf8')) as Record<string, PackedFile[]>;
  return (files[name] ?? []).map(({ path, text, executable = false }) => ({
    path,
    content: Buffer.from(text),
    executable,
  }));
}
