// The schema of fw.toml: every table and key with its kind.

export type Kind = 'text' | 'client' | 'port' | 'switch' | 'texts' | 'milliseconds';

/** A validated fw.toml; absent tables are empty. */
export interface Settings {
  project: { name?: string; version?: string; root?: string };
  generate: {
    backend_path?: string;
    output_path?: string;
    base_url?: string;
    client?: string;
    declarations?: boolean;
  };
  dev: {
    backend_port?: number;
    frontend_port?: number;
    frontend_path?: string;
    frontend_allow?: string[];
    hot_reload?: boolean;
    poll_interval?: number;
    exclusive?: boolean;
    bundle?: boolean;
    host?: string;
    entry?: string;
    allowed_hosts?: string[];
    workbench_token?: boolean;
    preload?: string[];
  };
}

export interface Key {
  readonly kind: Kind;
  /** One sentence for editors. */
  readonly description: string;
  readonly default?: string | number | boolean;
}

/** Keys as they are written in the file. */
export const schema: { [Table in keyof Settings]: { [Name in keyof Required<Settings[Table]>]: Key } } = {
  project: {
    name: { kind: 'text', description: 'The name of the project.' },
    version: { kind: 'text', description: 'The version of the project.' },
    root: {
      kind: 'text',
      description:
        'The directory of the app, relative to this file, if it is another one; its own fw.toml provides the keys that are missing here.',
    },
  },
  generate: {
    backend_path: {
      kind: 'text',
      description: 'The directory of the app whose client is generated, relative to this file.',
    },
    output_path: { kind: 'text', description: 'Where the client is written, relative to this file.' },
    base_url: {
      kind: 'text',
      description: 'The URL that the client calls if its constructor is given none.',
      default: '/rpc',
    },
    client: {
      kind: 'client',
      description:
        'Whether the client has its run time in its file, or imports it from fw/client, for projects that have fw installed.',
      default: 'standalone',
    },
    declarations: {
      kind: 'switch',
      description: 'Writes the client as .js, .d.ts and .d.ts.map too, with which editors jump into the app.',
      default: false,
    },
  },
  dev: {
    backend_port: { kind: 'port', description: 'The port of fw dev.', default: 3000 },
    frontend_port: {
      kind: 'port',
      description:
        "Makes fw dev run the frontend's dev server, Vite, on this port of 127.0.0.1, behind the address of the app.",
    },
    frontend_path: {
      kind: 'text',
      description: "The folder with the frontend's vite.config.ts, relative to the app.",
      default: 'web',
    },
    frontend_allow: {
      kind: 'texts',
      description:
        'Files and folders outside of frontend_path that the frontend imports, relative to the app.',
    },
    hot_reload: {
      kind: 'switch',
      description: 'Whether the app is rebuilt and restarted on every change.',
      default: true,
    },
    poll_interval: {
      kind: 'milliseconds',
      description:
        'Looks for changes every so many milliseconds, where folders of Docker, WSL2 or NFS report none.',
    },
    exclusive: {
      kind: 'switch',
      description:
        'Whether the old process of the app ends before the new one starts, as an app needs that locks a file.',
      default: false,
    },
    bundle: {
      kind: 'switch',
      description:
        'Whether the app runs as a bundle; if not, each source by itself, as an app needs that names its files at run time.',
      default: true,
    },
    host: { kind: 'text', description: 'The address to listen on.', default: '127.0.0.1' },
    entry: { kind: 'text', description: 'The file that starts the app.', default: 'src/main.ts' },
    allowed_hosts: {
      kind: 'texts',
      description: 'Host names that are accepted besides localhost; ".example.test" covers its subdomains.',
    },
    workbench_token: {
      kind: 'switch',
      description: 'Whether the workbench asks for its token on this machine too, where other users work.',
      default: false,
    },
    preload: { kind: 'texts', description: 'Modules to load before the app, as node --import does.' },
  },
};

export const kindNames: Record<Kind, string> = {
  text: 'a string in quotes',
  client: '"standalone" or "import"',
  port: 'a whole number from 1 to 65535',
  switch: 'true or false',
  texts: 'an array of strings in quotes',
  milliseconds: 'a whole number of milliseconds from 20 to 60000',
};

/** The values of `client` under [generate]. */
export const CLIENT_FORMS = ['standalone', 'import'] as const;

export function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string' && value !== '';
  if (kind === 'client') return CLIENT_FORMS.some((form) => form === value);
  if (kind === 'switch') return typeof value === 'boolean';
  if (kind === 'port') return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65536;
  if (kind === 'milliseconds')
    return Number.isInteger(value) && (value as number) >= 20 && (value as number) <= 60_000;
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
}
