// The order of the pages: what the sidebar and llms.txt list. Every page stands in one group, or the build fails.
import type { DefaultTheme } from 'vitepress';
import type { Page } from './pages.js';

export interface Group {
  readonly title: string;
  /**
   * Paths without `.md`, if need be with a title that is shorter than the page's own. `folder/*` stands for the pages
   * of a folder that are not listed elsewhere, by title.
   */
  readonly pages?: readonly (string | readonly [path: string, title: string])[];
  readonly groups?: readonly Group[];
  readonly isOpen?: boolean;
}

const howTo: Group = {
  title: 'How to',
  // Those that no group below has.
  pages: ['how-to/*'],
  groups: [
    {
      title: 'Requests',
      pages: [
        'how-to/validate-a-form',
        'how-to/upload-files',
        'how-to/export-a-file',
        'how-to/paginate',
        'how-to/repeat-requests-safely',
        'how-to/cache',
        'how-to/rate-limit-by-plan',
        'how-to/receive-webhooks',
        'how-to/version-an-api',
        'how-to/allow-another-origin',
      ],
    },
    {
      title: 'Accounts',
      pages: [
        'how-to/sign-in-with-a-password',
        'how-to/sign-in-with-oidc',
        'how-to/sign-in-with-github',
        'how-to/reset-a-password',
        'how-to/sign-out-everywhere',
        'how-to/protect-an-admin-area',
        'how-to/separate-tenants',
      ],
    },
    {
      title: 'Data',
      pages: ['how-to/use-transactions', 'how-to/migrate-without-downtime', 'how-to/back-up-sqlite'],
    },
    { title: 'Mail and jobs', pages: ['how-to/send-mail', 'how-to/run-jobs', 'how-to/schedule-work'] },
    { title: 'Clients', pages: ['how-to/call-from-a-frontend', 'how-to/share-a-client'] },
    {
      title: 'Live',
      pages: [
        'how-to/live-updates',
        'how-to/chat-over-websocket',
        'how-to/stream-from-a-language-model',
        'how-to/give-tools-to-a-model',
      ],
    },
    { title: 'Tests', pages: ['how-to/test-with-a-database', 'how-to/test-procedures'] },
    {
      title: 'Operations',
      pages: [
        'how-to/read-settings',
        'how-to/send-logs',
        'how-to/monitor',
        'how-to/trace-requests',
        'how-to/report-errors',
        'how-to/behind-a-proxy',
        'how-to/run-many-processes',
      ],
    },
    {
      title: 'Deploy',
      pages: [
        'how-to/deploy-to-a-server',
        'how-to/deploy-with-docker',
        'how-to/deploy-to-a-platform',
        'how-to/deploy-to-lambda',
        'how-to/deploy-to-workers',
        'how-to/deploy-to-bun-and-deno',
      ],
    },
  ],
};

const groups: readonly Group[] = [
  {
    title: 'Start',
    isOpen: true,
    pages: ['tutorial', ['cli/new', 'Create an app'], 'comparison'],
    groups: [
      {
        title: 'Templates',
        pages: [
          'templates/basic',
          'templates/rpc',
          'templates/api-only',
          'templates/production',
          'templates/fullstack',
          'templates/*',
          'cli/growing',
        ],
      },
      { title: 'Coming from', pages: ['coming-from/*'] },
    ],
  },
  {
    title: 'Guides',
    isOpen: true,
    groups: [
      howTo,
      {
        title: 'Requests and responses',
        pages: [
          'routing',
          'requests-and-responses',
          'extractors',
          ['bodies', 'Request bodies'],
          'described-routes',
          'middleware',
          'built-in-middleware',
          'context-middleware',
          'cookies',
          'compression',
          ['static-files', 'Static files'],
          'streaming',
          'pub-sub',
          'rate-limiting',
          'client-address',
          'errors',
        ],
      },
      {
        title: 'Who may call what',
        pages: ['who-may-call-what', 'sessions', 'csrf', 'passwords', 'accounts', 'jwt', 'api-keys', 'oidc'],
      },
      {
        title: 'Procedures',
        pages: [
          'rpc',
          'rpc-types',
          'rpc-client',
          'rpc-errors',
          'rpc-groups',
          'rpc-subscriptions',
          'rpc-uploads',
          'mcp',
        ],
      },
      {
        title: 'WebSocket',
        pages: ['websocket', 'websocket-channels', 'websocket-client'],
      },
      { title: 'Clients and OpenAPI', pages: ['route-client', 'openapi-page'] },
      { title: 'Databases, mail and settings', pages: ['sql', 'migrations', 'redis', 'mail', 'settings'] },
      { title: 'Logs, metrics and traces', pages: ['tracing', 'metrics', 'opentelemetry'] },
      { title: 'Tests', pages: ['testing', 'testing-websockets', 'fuzzing'] },
      { title: 'With other libraries', pages: ['interop', 'better-auth', 'auth-js', 'graphql'] },
    ],
  },
  { title: 'Concepts', pages: ['life-cycle', 'security', 'concepts/*'] },
  {
    title: 'Deploy',
    pages: [
      'cli/deployment',
      'server',
      'fetch-runtimes',
      'health',
      'processes',
      ['templates/production-runbook', 'Runbook of production'],
      ['templates/fullstack-runbook', 'Runbook of fullstack'],
    ],
  },
  {
    title: 'CLI',
    pages: [
      'cli/index',
      'cli/dev',
      'cli/workbench',
      'cli/errors-in-development',
      'cli/generate',
      'cli/routes',
      'cli/fuzz',
      'cli/docs',
      'cli/mcp',
      'cli/doctor',
      'cli/upgrade',
      'cli/fw-toml',
      'cli/completion',
      'cli/windows',
      'cli/macos',
    ],
  },
  {
    title: 'Reference',
    pages: ['limits', 'notation', 'websocket-conformance', 'stability', 'changelog'],
    groups: [{ title: 'Error codes', pages: ['error-codes', 'errors/*'] }],
  },
  { title: 'API', pages: ['api/index', 'api/*'] },
];

/** Pages that no group lists, because everything else leads to them. */
const outside: ReadonlySet<string> = new Set(['index.md']);

export interface Listed {
  readonly title: string;
  readonly pages: readonly Page[];
  readonly groups: readonly Listed[];
  readonly isOpen: boolean;
}

/** @throws Error if a page is in no group or in two, or a group lists a page that does not exist */
export function listPages(pages: readonly Page[], from: readonly Group[] = groups): Listed[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const named = new Set<string>();
  const faults: string[] = [];
  for (const path of pathsOf(from)) {
    if (path.endsWith('/*')) continue;
    if (!byPath.has(`${path}.md`)) faults.push(`${path} is listed, and there is no such page`);
    if (named.has(path)) faults.push(`${path} is listed twice`);
    named.add(path);
  }
  const listed = from.map((group) => listGroup(group, pages, byPath, named));
  const found = new Set(listed.flatMap(pagesOf).map(({ path }) => path));
  faults.push(
    ...pages
      .filter((page) => !found.has(page.path) && !outside.has(page.path))
      .map(({ path, source }) => `${path.replace(/\.md$/, '')} (${source}) is in no group`),
  );
  if (faults.length > 0) {
    throw new Error(`framework/docs/.vitepress/navigation.ts does not list the pages:\n${faults.join('\n')}`);
  }
  return listed.filter((group) => pagesOf(group).length > 0);
}

export function pagesOf(group: Listed): Page[] {
  return [...group.pages, ...group.groups.flatMap(pagesOf)];
}

export function sidebarOf(listed: readonly Listed[]): DefaultTheme.SidebarItem[] {
  return listed.map((group) => ({
    text: group.title,
    collapsed: !group.isOpen,
    items: [
      ...group.pages.map(({ title, path }) => ({
        text: title,
        link: `/${path.replace(/(?:index)?\.md$/, '')}`,
      })),
      ...sidebarOf(group.groups),
    ],
  }));
}

function pathsOf(from: readonly Group[]): string[] {
  return from.flatMap(({ pages = [], groups: inner = [] }) => [
    ...pages.map((entry) => (typeof entry === 'string' ? entry : entry[0])),
    ...pathsOf(inner),
  ]);
}

function listGroup(
  group: Group,
  pages: readonly Page[],
  byPath: ReadonlyMap<string, Page>,
  named: ReadonlySet<string>,
): Listed {
  const inFolder = (folder: string) =>
    pages
      .filter(
        ({ path }) =>
          path.slice(0, path.lastIndexOf('/')) === folder && !named.has(path.replace(/\.md$/, '')),
      )
      .sort((a, b) => (a.title < b.title ? -1 : 1));
  return {
    title: group.title,
    isOpen: group.isOpen ?? false,
    pages: (group.pages ?? []).flatMap((entry) => {
      if (typeof entry === 'string' && entry.endsWith('/*')) return inFolder(entry.slice(0, -2));
      const [path, title] = typeof entry === 'string' ? [entry] : entry;
      const page = byPath.get(`${path}.md`);
      return page ? [{ ...page, title: title ?? page.title }] : [];
    }),
    groups: (group.groups ?? [])
      .map((inner) => listGroup(inner, pages, byPath, named))
      .filter((inner) => pagesOf(inner).length > 0),
  };
}
