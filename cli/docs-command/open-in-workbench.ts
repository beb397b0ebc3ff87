// `fw docs`: opens a page in the workbench, if a `fw dev` of the project runs.
import { loadProject } from '../config/load.js';
import { openBrowser } from '../dev/terminal/open-browser.js';
import type { ManualPage } from '../manual/pages.js';
import type { ManualSection } from '../manual/sections.js';
import { runningAddresses } from '../process/running-dev.js';

/** How long `fw dev` may take to answer, in milliseconds. */
const ANSWER_LIMIT = 2000;

/** The address that was opened; undefined if there is none, or it does not answer without a token. */
export async function openInWorkbench(
  page: ManualPage,
  section: ManualSection | undefined,
): Promise<string | undefined> {
  const place = section === undefined || section.slug === '' ? page.name : `${page.name}:${section.slug}`;
  for (const address of runningAddresses(projectRoot())) {
    if (!(await answers(`${address}/_fw/docs`))) continue;
    const url = `${address}/_fw/#/docs/${place}`;
    openBrowser(url, (reason) => process.stderr.write(`note: ${reason}\n`));
    return url;
  }
  return undefined;
}

function projectRoot(): string {
  try {
    return loadProject(process.cwd()).root;
  } catch {
    return process.cwd();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
