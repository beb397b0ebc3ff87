// Holds the house plan: npm run check:imports. Folders import only from those below them, types included, and no two
// files need each other's values. Tests and the conformance cases may import everything.
import { fileURLToPath } from 'node:url';
import { importsOf, sourceFiles } from './source-imports.js';

/** From the bottom up. A file belongs to the longest of these paths that it starts with. */
const plan = [
  // What an application imports.
  'framework/version.ts',
  'framework/this-runtime.ts',
  'framework/files/',
  'framework/config-error.ts',
  'framework/options/',
  'framework/options/check-time.ts',
  'framework/promises.ts',
  'framework/client/runtime/',
  'framework/tracing/',
  'framework/mail/',
  'framework/http/',
  'framework/router/',
  'framework/schema/',
  'framework/env/',
  'framework/wire/',
  'framework/wire/read/',
  'framework/wire/check/',
  'framework/wire/print/',
  'framework/wire/compare/',
  'framework/client-address/',
  'framework/streaming/',
  'framework/multipart/',
  'framework/context/',
  'framework/dispatch/',
  'framework/extract/',
  'framework/auth/',
  'framework/runtime/',
  'framework/sql/',
  'framework/middleware/compression/',
  'framework/middleware/rate-limit/',
  'framework/auth/password/',
  'framework/auth/accounts/',
  'framework/session/',
  'framework/middleware/csrf/',
  'framework/redis/',
  'framework/sql/stores/',
  'framework/sql/drizzle/workers.ts',
  'framework/websocket/',
  'framework/interop/',
  'framework/middleware/connect/',
  'framework/static/',
  'framework/docs-page/',
  'framework/docs-page/parts/',
  'framework/middleware/',
  'framework/rpc/protocol/',
  'framework/openapi/',
  'framework/client/',
  'framework/rpc/',
  'framework/mcp/',
  'framework/api-model/',
  'framework/metrics/',
  'framework/docs-page/page/',
  'framework/app/settings/',
  'framework/app/routes/',
  'framework/openapi/routes/',
  'framework/client/routes/',
  'framework/app/',
  'framework/cluster/',
  'framework/opentelemetry/',
  'framework/openapi/app/',
  'framework/client/app/',
  'framework/client-gen/',
  'framework/testing/',
  // The published entries: every index.ts.
  'index.ts',
  // The binary.
  'cli/files/',
  'cli/terminal/',
  'cli/manager/',
  'cli/config/',
  'cli/bundle/',
  'cli/process/',
  'cli/manual/',
  'cli/vendor/',
  'cli/watch/',
  'cli/generate/',
  'cli/dev/worker/',
  'cli/dev/client/',
  'cli/dev/frontend/',
  'cli/dev/workbench/',
  'cli/dev/workbench/page/',
  'cli/dev/workbench/live/',
  'cli/dev/workbench/error-page/',
  'cli/dev/terminal/',
  'cli/dev/report/',
  'cli/dev/settings/',
  'cli/dev/types/',
  'cli/dev/',
  'cli/routes/',
  'cli/fuzz/',
  'cli/new/',
  'cli/upgrade/',
  'cli/scripts/',
  'cli/doctor/',
  'cli/docs-command/',
  'cli/mcp-command/',
  'cli/completion/',
  'cli/commands/',
  'cli/main.ts',
] as const;

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const files = sourceFiles(root);
const imports = importsOf(root, files);
const faults = [...outsideThePlan(), ...upward(), ...circles()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${files.length} files, ${imports.length} imports: every one leads down`);

function placeOf(file: string): number {
  if (file.endsWith('/index.ts')) return plan.indexOf('index.ts');
  const fitting = plan.filter((path) => file.startsWith(path));
  const longest = fitting.reduce((one, other) => (other.length > one.length ? other : one), '' as string);
  return plan.indexOf(longest as (typeof plan)[number]);
}

function outsideThePlan(): string[] {
  const homeless = files.filter((file) => placeOf(file) === -1);
  return homeless.map(
    (file) => `${file} is in no folder of the plan in .ci/check-imports.ts: give it its place there`,
  );
}

function upward(): string[] {
  const wrong = imports.filter(({ from, to }) => placeOf(to) > placeOf(from));
  return wrong.map(({ from, to }) => {
    const [here, there] = [plan[placeOf(from)], plan[placeOf(to)]];
    return `${from} imports ${to}: ${here} stands below ${there} and must not know it; move what both need down`;
  });
}

/** Circles of values between files, each once. */
function circles(): string[] {
  const values = new Map<string, string[]>();
  for (const { from, to, isType } of imports) {
    if (!isType) values.set(from, [...(values.get(from) ?? []), to]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1)
      found.push(`circle of imports: ${[...path.slice(at), file].join(' → ')}; break it in one place`);
    if (at !== -1 || done.has(file)) return;
    for (const next of values.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return found;
}
