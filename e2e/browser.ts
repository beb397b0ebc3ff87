// A real browser for journeys: Chromium without a window.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export const browserPath: string = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why journeys in a browser are skipped here, if so; on a CI machine that is a failure instead. */
export const noBrowser: string | undefined = existsSync(browserPath)
  ? undefined
  : `no Chromium at ${browserPath}; install it, or name another one in CHROMIUM`;

if (noBrowser !== undefined && process.env.CI) throw new Error(noBrowser);
if (noBrowser !== undefined) process.stderr.write(`skipped: ${noBrowser}\n`);

export const browserArgs: string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @param ignoreDefaultArgs what Playwright would start it with, such as without the back/forward cache. */
export function launchBrowser(ignoreDefaultArgs: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath,
    ignoreDefaultArgs,
    args: browserArgs,
  });
}
