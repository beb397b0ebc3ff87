// `fw routes`: boot → describe → table or JSON.
import { colorsFor } from '../terminal/color.js';
import { count } from '../terminal/output.js';
import { noProgress, progress } from '../terminal/spinner.js';
import { describeBootedApp } from './booted-app.js';
import { routeRows, routesText } from './routes-text.js';

export interface RoutesFlags {
  json?: boolean;
}

/** @throws CliError if the app cannot be started */
export async function listRoutes(search: string, { json }: RoutesFlags): Promise<void> {
  const { root, description } = await describeBootedApp(process.cwd(), json ? noProgress : progress);
  const rows = routeRows(description, root, search);
  if (json === true) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  if (rows.length > 0) {
    const text = routesText(
      rows,
      colorsFor(process.stdout),
      process.stdout.columns ?? Number.POSITIVE_INFINITY,
    );
    process.stdout.write(`${text}\n`);
  }
  const open = rows.filter(({ guards }) => guards.length === 0).length;
  const fits = search === '' ? '' : ` with '${search}'`;
  process.stderr.write(`${count(rows.length, 'route')}${fits}, ${open} open to everybody\n`);
}
