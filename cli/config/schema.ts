// The schema of fw.toml: every table and key with its kind.

export type Kind = 'text' | 'port' | 'switch' | 'texts';

/** A validated fw.toml; absent tables are empty. */
export interface Settings {
  project: { name?: string; version?: string; root?: string };
  generate: { backend_path?: string; output_path?: string; base_url?: string; declarations?: boolean };
  dev: {
    backend_port?: number;
    frontend_port?: number;
    frontend_path?: string;
    hot_reload?: boolean;
    host?: string;
    entry?: string;
    allowed_hosts?: string[];
    preload?: string[];
  };
}

/** Keys as they are written in the file. */
export const schema: { [Table in keyof Settings]: { [Key in keyof Required<Settings[Table]>]: Kind } } = {
  project: { name: 'text', version: 'text', root: 'text' },
  generate: { backend_path: 'text', output_path: 'text', base_url: 'text', declarations: 'switch' },
  dev: {
    backend_port: 'port',
    frontend_port: 'port',
    frontend_path: 'text',
    hot_reload: 'switch',
    host: 'text',
    entry: 'text',
    allowed_hosts: 'texts',
    preload: 'texts',
  },
};

export const kindNames: Record<Kind, string> = {
  text: 'a string in quotes',
  port: 'a whole number from 1 to 65535',
  switch: 'true or false',
  texts: 'an array of strings in quotes',
};

export function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string' && value !== '';
  if (kind === 'switch') return typeof value === 'boolean';
  if (kind === 'port') return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65536;
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
}
