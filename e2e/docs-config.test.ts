// The configuration of other programs in the documentation, as far as it can be checked without them: what parses, names
// what there is, and asks for what the app serves. nginx, Caddy and systemd check their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonFaults, tomlFaults, yamlFaults } from './docs-config/documents.js';
import { dockerfileFaults } from './docs-config/images.js';
import { commandFaults, environmentFaults } from './docs-config/orchestration.js';
import { bundled, caddyFaults, nginxFaults, systemdFaults, whyMissing } from './docs-config/programs.js';
import { kindOf, type Page, type Snippet, snippets, snippetsOfKind } from './docs-config/snippets.js';
import { checkout } from './packed.js';

const named = (found: readonly Snippet[]) => found.map((snippet) => [snippet.name, snippet] as const);
const page: Page = { name: 'trial.md', text: '' };
const snippet = (language: string, text: string): Snippet => ({ name: 'trial.md:1', language, text, page });

it('knows what each snippet is for', () => {
  expect(snippets.filter((one) => kindOf(one) === undefined).map(({ name }) => name)).toEqual([]);
  expect(kindOf(snippet('', 'something else'))).toBeUndefined();
  for (const kind of [
    'nginx',
    'Caddyfile',
    'Dockerfile',
    'unit of systemd',
    'YAML',
    'TOML',
    'JSON',
  ] as const) {
    expect(snippetsOfKind(kind).length, kind).toBeGreaterThan(0);
  }
});

describe('YAML', () => {
  it.each(named(snippetsOfKind('YAML')))('%s has what its kind requires', (_name, one) => {
    expect(yamlFaults(one)).toEqual([]);
  });

  it('is refused if it would not work', () => {
    const original = snippetsOfKind('YAML').find(({ text }) => text.includes('kind: Deployment'));
    const changed = (from: string, to: string) =>
      yamlFaults({ ...(original as Snippet), text: (original as Snippet).text.replace(from, to) });
    expect(changed('matchLabels: { app: shop }', 'matchLabels: { app: store }')).toEqual([
      'the selector asks for app=store, which no pod has',
    ]);
    expect(changed('path: /health,', 'path: /healthz,')).toEqual([
      'readinessProbe asks for /healthz in the place of /health',
    ]);
    expect(changed('containerPort: 3000', 'containerPort: 8080').length).toBe(3);
    expect(changed('DRAIN_SECONDS', 'DRAIN')).toContain('no template knows the variable DRAIN');
    const edited = (part: string, from: string, to: string) => {
      const [one] = snippetsOfKind('YAML').filter(({ text }) => text.includes(part)) as [Snippet];
      return yamlFaults({ ...one, text: one.text.replace(from, to) });
    };
    expect(edited('alert:', 'nodejs_eventloop_delay', 'nodejs_eventloop_lag')).toEqual([
      'EventLoopIsBusy: there is no metric nodejs_eventloop_lag_p99_seconds',
    ]);
    expect(edited('receivers:', '[otlphttp/tempo]', '[otlphttp/jaeger]')).toEqual([
      'exporters has no otlphttp/jaeger',
      'no pipeline uses otlphttp/tempo',
    ]);
    expect(edited('kind: CronJob', 'dist/nightly.js', 'dist/daily.js')).toEqual([
      'node dist/daily.js: there is no dist/daily.js',
    ]);
    expect(edited('AWSTemplate', 'index.handler', 'main.handler')).toEqual(['nothing writes main.mjs']);
    expect(edited('databases:', 'healthCheckPath: /health', 'healthCheckPath: /up')).toEqual([
      'it asks for /up in the place of /health',
    ]);
    expect(edited('scrape_configs', '9464', '9465')).toEqual(['nothing listens on 127.0.0.1:9465']);
    expect(edited('scrape_configs', 'job_name: shop', 'job_name: app')).toEqual([
      'no alert asks for the job app',
    ]);
    expect(yamlFaults(snippet('yaml', 'a: 1\na: 2\n'))[0]).toContain('must be unique');
    expect(yamlFaults(snippet('yaml', 'a: 1\n'))[0]).toContain('it is not known which program reads it');
    expect(
      yamlFaults(
        snippet(
          'yaml',
          'services:\n  app:\n    build: .\n    command: [node, dist/other.js]\n    depends_on: { db: { condition: service_healthy } }\n    volumes: [data:/data]\n',
        ),
      ),
    ).toEqual([
      'the service app depends on db, which is not there',
      'the service app uses the volume data, which is not declared',
      'node dist/other.js: there is no dist/other.js',
    ]);
  });
});

describe('TOML and JSON', () => {
  it.each(named(snippetsOfKind('TOML')))('%s has what its program reads', (_name, one) => {
    expect(tomlFaults(one)).toEqual([]);
  });

  it.each(named(snippetsOfKind('JSON')))('%s has what its program reads', (_name, one) => {
    expect(jsonFaults(one)).toEqual([]);
  });

  it('are refused if they would not work', () => {
    const [fly] = snippetsOfKind('TOML').filter(({ text }) => text.startsWith('app =')) as [Snippet];
    expect(tomlFaults({ ...fly, text: fly.text.replace('= 3000', '= 8080') })).toEqual([
      'the app listens on 3000',
    ]);
    expect(() => tomlFaults(snippet('toml', '[generate]\noutput = "x"\n'))).toThrow("'output'");
    const [worker] = snippetsOfKind('JSON').filter(({ language }) => language === 'jsonc') as [Snippet];
    expect(jsonFaults({ ...worker, text: worker.text.replace('"NOTES"', '"NOTE"') })).toEqual([
      'nothing binds NOTES',
      'NOTE is bound and not used',
    ]);
    expect(() => jsonFaults(snippet('json', '{,}'))).toThrow(SyntaxError);
  });
});

describe('a Dockerfile', () => {
  it.each(named(snippetsOfKind('Dockerfile')))('%s copies and starts what there is', (_name, one) => {
    expect(dockerfileFaults(one)).toEqual([]);
  });

  it.each(['production', 'fullstack'])('of the template %s passes the same checks', (template) => {
    const text = readFileSync(join(checkout, 'templates', template, 'Dockerfile'), 'utf8');
    // Its health check asks at the port of the environment.
    expect(
      dockerfileFaults(
        snippet('dockerfile', text.replace(/`(http:\S+?)\$\{process\.env\.PORT\}(\S+?)`/, "'$13000$2'")),
      ),
    ).toEqual([]);
  });

  it('is refused if it would not work', () => {
    const text = 'FROM node:24-slim\nADD src ./src\nCOPY source ./src\nCMD ["node", "dist/server.js"]\n';
    expect(dockerfileFaults(snippet('dockerfile', text))).toEqual([
      'the instruction ADD is not known: ADD src ./src',
      'COPY source ./src: no app has source',
      'CMD ["node", "dist/server.js"]: there is no dist/server.js',
      'the app runs as root',
    ]);
    const packages =
      'FROM node:24-slim AS packages\nRUN npm ci\nFROM node:24-slim AS other\nRUN npm run build\n';
    const rest = 'FROM denoland/deno:2.5.0\nUSER deno\nCMD ["deno", "task", "start"]\n';
    const copied = 'COPY --from=other /app/node_modules ./node_modules';
    expect(dockerfileFaults(snippet('dockerfile', `${packages}${rest}${copied}\n`))).toEqual([
      `${copied}: that stage does not build /app/node_modules`,
    ]);
  });
});

describe('settings of the environment', () => {
  it.each(named(snippetsOfKind('environment')))('%s names variables that there are', (_name, { text }) => {
    const lines = text.trimEnd().split('\n');
    expect(lines.filter((line) => !/^[A-Z_]+=\S+$/.test(line))).toEqual([]);
    expect(environmentFaults(Object.fromEntries(lines.map((line) => line.split('=', 2))))).toEqual([]);
  });

  it('are refused if no template knows them', () => {
    expect(environmentFaults({ PORT: '', SECRET: '', CSRF_SECRET_FILE: '' })).toEqual([
      'no template knows the variable SECRET',
    ]);
  });
});

describe.skipIf(whyMissing('nginx', 'nginx-light'))('nginx', () => {
  it.each(named(snippetsOfKind('nginx')))('accepts %s', (_name, { text }) => {
    expect(nginxFaults(text)).toBe('');
  });

  it('refuses what it does not know', () => {
    expect(nginxFaults('server { proxy_passes http://127.0.0.1:3000; }')).toContain('unknown directive');
  });
});

describe.skipIf(whyMissing('caddy', 'caddy'))('Caddy', () => {
  it.each(named(snippetsOfKind('Caddyfile')))('accepts %s', (_name, { text }) => {
    expect(caddyFaults(text)).toBe('');
  });

  it('refuses what it does not know', () => {
    expect(caddyFaults('shop.example {\n  reverse 127.0.0.1:3000\n}\n')).toContain('unrecognized directive');
  });
});

describe('the command that bundles a function for Lambda', () => {
  it('makes one file that answers events', async () => {
    const text = readFileSync(join(checkout, 'framework/docs/how-to/deploy-to-lambda.md'), 'utf8');
    const [command = ''] = /^npx esbuild .+$/m.exec(text) ?? [];
    const source = `import { App } from 'fw';
import { handle } from 'fw/lambda';

export const handler = handle(new App().get('/hello/:name', (ctx) => ctx.req.param('name')));
`;
    const { handler } = (await bundled(command, source)) as {
      handler(event: object): Promise<{ body: string }>;
    };
    const answer = await handler({
      version: '2.0',
      rawPath: '/hello/Ada',
      rawQueryString: '',
      headers: { host: 'shop.example' },
      requestContext: {
        domainName: 'shop.example',
        http: { method: 'GET', path: '/hello/Ada', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1' },
      },
      isBase64Encoded: false,
    });
    expect(answer).toMatchObject({ statusCode: 200, body: 'Ada' });
  });
});

const units = snippetsOfKind('unit of systemd');
const timers = snippetsOfKind('timer of systemd');

describe('a unit of systemd', () => {
  it.each(named(units))('%s starts what there is', (_name, { text, page: of }) => {
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(text) ?? [];
    expect(command).not.toBe('');
    expect(commandFaults(command.split(' '), of)).toEqual([]);
    const variables = [...text.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => [name, '']);
    expect(environmentFaults(Object.fromEntries(variables))).toEqual([]);
  });

  it('that runs beside the app has its user: systemd gives the folder of the state to the user of the last start', () => {
    const beside = units.filter(
      ({ text }) => /^StateDirectory=shop$/m.test(text) && !text.includes('dist/main.js'),
    );
    expect(beside.length).toBeGreaterThan(0);
    for (const { name, text } of beside) expect(text, name).toMatch(/^User=shop$/m);
  });
});

describe.skipIf(whyMissing('systemd-analyze', 'systemd'))('systemd', () => {
  it.each(named(units))('accepts %s', (_name, { text }) => {
    expect(systemdFaults({ 'shop.service': text })).toBe('');
  });

  it.each(named(timers))('accepts %s, with the service of the same page', (_name, { text, page: of }) => {
    const service = units.find((unit) => unit.page === of);
    expect(systemdFaults({ 'shop.timer': text, 'shop.service': service?.text ?? '' })).toBe('');
  });

  it('refuses what it does not know', () => {
    expect(
      systemdFaults({ 'shop.service': '[Service]\nExecStart=/usr/bin/node main.js\nUsers=x\n' }),
    ).toContain('Users');
    expect(systemdFaults({ 'shop.timer': '[Timer]\nOnCalendar=at night\n' })).not.toBe('');
  });
});
