// Templates as the package has them: one compressed file each, because they are read only by `fw new`, and a list.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Template, TemplateFile } from './templates.js';

interface PackedFile {
  readonly path: string;
  readonly base64: string;
  readonly executable?: true;
}

const indexName = 'index.json';

/** The files of dist/templates by their names: one per template, and the list. */
export function packTemplates(templates: readonly Template[]): Map<string, Uint8Array> {
  const packed = new Map<string, Uint8Array>();
  for (const { name, read } of templates) {
    const files = read().map(
      ({ path, content, executable }): PackedFile => ({
        path,
        base64: Buffer.from(content).toString('base64'),
        ...(executable && { executable }),
      }),
    );
    packed.set(`${name}.json.gz`, gzipSync(JSON.stringify(files), { level: 9 }));
  }
  const index = templates.map(({ name, description }) => ({ name, description }));
  return packed.set(indexName, Buffer.from(JSON.stringify(index)));
}

/** @param folder dist/templates of the package */
export function listPackedTemplates(folder: string): Template[] {
  const index = JSON.parse(readFileSync(join(folder, indexName), 'utf8')) as Omit<Template, 'read'>[];
  return index.map(({ name, description }) => ({
    name,
    description,
    read: () => unpack(readFileSync(join(folder, `${name}.json.gz`))),
  }));
}

function unpack(bytes: Uint8Array): TemplateFile[] {
  const files = JSON.parse(gunzipSync(bytes).toString('utf8')) as PackedFile[];
  return files.map(({ path, base64, executable = false }) => ({
    path,
    content: Buffer.from(base64, 'base64'),
    executable,
  }));
}
