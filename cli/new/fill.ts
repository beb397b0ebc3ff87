// The only edits when a template is copied: the project's name and the dependency on `fw`.
import type { TemplateFile } from './templates.js';

export interface Values {
  /** The name that the template's files contain, which is that of its directory. */
  templateName: string;
  name: string;
  fwSpec: string;
}

type Edit = (text: string, values: Values) => string;

const edits: Readonly<Record<string, Edit>> = {
  'package.json': (text, { name, fwSpec }) => {
    const manifest = JSON.parse(text);
    manifest.name = name;
    manifest.dependencies.fw = fwSpec;
    return `${JSON.stringify(manifest, null, 2)}\n`;
  },
  'fw.toml': (text, { templateName, name }) =>
    text.replace(`name = "${templateName}"`, () => `name = "${name}"`),
  'README.md': (text, { templateName, name }) => text.replace(`# ${templateName}\n`, () => `# ${name}\n`),
};

export function fill(file: TemplateFile, values: Values): TemplateFile {
  const edit = edits[file.path];
  if (!edit) return file;
  return { ...file, content: Buffer.from(edit(Buffer.from(file.content).toString('utf8'), values)) };
}

/** Names that the app must not have, because it depends on packages of these names. */
export function dependencyNames(files: readonly TemplateFile[]): string[] {
  const manifest = files.find((file) => file.path === 'package.json');
  if (!manifest) return [];
  const { dependencies, devDependencies } = JSON.parse(Buffer.from(manifest.content).toString('utf8'));
  return Object.keys({ ...dependencies, ...devDependencies });
}
