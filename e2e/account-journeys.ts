// Accounts of the template fullstack in a browser: an address that is confirmed, the sign-in with a provider, the end.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Libsql from 'libsql';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CLIENT, TrialProvider } from '../framework/conformance/oidc/trial-provider.js';
import { startBuilt } from './built-app.js';
import { freePort } from './free-port.js';
import { addList, addTask, enter, faults, heading, openWindow, password, task } from './lists-page.js';

export interface Built {
  /** The folder of the app, and where it is served. */
  app: string;
  url: string;
  browser: Browser | undefined;
  /** What axe has found. */
  found: unknown[];
}

/**
 * The secret of a link for the account of an address, which is stored as the app stores it. No provider of mail is
 * connected in an app that was just made, and its log has no link.
 */
export function storedLink(app: string, purpose: string, email: string): string {
  const token = createHash('sha256').update(`${purpose} ${email}`).digest('base64url');
  const digest = createHash('sha256').update(token).digest('base64url');
  // The app writes as well, such as sessions.
  const database = new Libsql(join(app, 'app.db'), { timeout: 60_000 });
  const insert = `insert into tokens (key, kind, user_id, family, data, created_at_ms, expires_at_ms)
    select ?, 'one-time', id, ?, email, ?, ? from users where email = ?`;
  database.prepare(insert).run(digest, purpose, Date.now(), Date.now() + 60_000, email);
  database.close();
  return token;
}

/** Those of browsers for every answer that is not a success are left out. */
function serious(complaints: readonly string[]): string[] {
  return complaints.filter((text) => !text.startsWith('Failed to load resource'));
}

async function openAccount(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: email }).click();
  await heading(page, 'Your account').waitFor();
}

export function accountJourneys(built: () => Built): void {
  test('confirms the address of an account by the link of a mail', async () => {
    const { app, url, browser, found } = built();
    const { page, context, complaints } = await openWindow(browser, url);
    const email = 'hedy@example.org';
    await page.goto('/sign-up');
    await enter(page, 'Sign up', email);
    const hint = page.getByRole('complementary', { name: 'Reminder' });
    await hint.getByText(`the link that was sent to ${email}`).waitFor();
    await hint.getByRole('button', { name: 'Send again' }).click();
    await hint.getByText('The link was not sent. Something went wrong on the server.').waitFor();
    await openAccount(page, email);
    await page.getByText('not confirmed').waitFor();
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByText('New e-mail address is not an e-mail address.').waitFor();
    found.push(...(await faults(page, 'faults of an address')));

    await page.goto(`/confirm-email#${storedLink(app, 'confirm-email', email)}`);
    await heading(page, 'Confirm your address').waitFor();
    found.push(...(await faults(page, 'a link that confirms')));
    // With the keyboard.
    await page.getByRole('button', { name: 'Confirm' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Address confirmed').waitFor();
    await page.getByText(`${email} is the address of your account.`).waitFor();
    found.push(...(await faults(page, 'a confirmed address')));
    await page.reload();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('This link was used, or is older than a day.').waitFor();
    found.push(...(await faults(page, 'a used link')));
    await page.getByRole('link', { name: 'Go to your lists' }).click();
    await heading(page, 'Welcome').waitFor();
    expect(await hint.count()).toBe(0);
    await openAccount(page, email);
    await page.getByText('confirmed', { exact: true }).waitFor();
    expect(serious(complaints)).toEqual([]);
    await context.close();
  });

  test('deletes an account, and says before what is lost', async () => {
    const { url, browser, found } = built();
    const [here, there] = [await openWindow(browser, url), await openWindow(browser, url)];
    const [page, email] = [here.page, 'joan@example.org'];
    await page.goto('/sign-up');
    await enter(page, 'Sign up', email);
    await heading(page, 'Welcome').waitFor();
    await addList(page, 'Groceries');
    await addTask(page, 'Milk');
    await there.page.goto('/sign-in');
    await enter(there.page, 'Sign in', email);
    await heading(there.page, '1 open task').waitFor();

    await openAccount(page, email);
    const open = page.getByRole('button', { name: 'Delete account' });
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(`The account ${email}, your list with its tasks and all sessions are deleted`)
      .waitFor();
    expect(await dialog.getByLabel('Your password').evaluate((field) => field.matches(':focus'))).toBe(true);
    found.push(...(await faults(page, 'a dialog that deletes')));
    await page.keyboard.press('Escape');
    expect(await open.evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText('Your password is wrong.').waitFor();
    found.push(...(await faults(page, 'a wrong password of a dialog')));
    await dialog.getByLabel('Your password').fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Account deleted').waitFor();
    found.push(...(await faults(page, 'a deleted account')));
    await heading(there.page, 'Sign in').waitFor();
    await enter(there.page, 'Sign in', email);
    await there.page.getByText('The e-mail address or the password is wrong.').waitFor();
    expect(serious([...here.complaints, ...there.complaints])).toEqual([]);
    await Promise.all([here.context.close(), there.context.close()]);
  });

  test('signs in and out with a provider, and tells on a page what goes wrong there', async () => {
    const { app, browser, found } = built();
    const provider = await new TrialProvider().start();
    const port = await freePort();
    const server = await startBuilt(app, port, {
      DATABASE_URL: ':memory:',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Acme',
    });
    provider.register(`${server.url}/auth/callback`, `${server.url}/sign-in`);
    const { page, context, complaints } = await openWindow(browser, server.url);
    try {
      await page.goto('/sign-up');
      await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
      found.push(...(await faults(page, 'a provider')));
      // Somebody has signed up with the address of Grace.
      await enter(page, 'Sign up', 'grace@example.org');
      await heading(page, 'Welcome').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      provider.account = 'grace';
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await heading(page, 'You are not signed in').waitFor();
      await page.getByText('Your e-mail address has an account with a password here.').waitFor();
      found.push(...(await faults(page, 'a sign-in that failed')));
      await context.clearCookies();

      provider.account = 'ada';
      await page.getByRole('link', { name: 'Back to the sign-in' }).click();
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await heading(page, 'Welcome').waitFor();
      await openAccount(page, 'ada@example.org');
      await page.getByText('You sign in with Acme: this account has no password of its own.').waitFor();
      await page.getByText(/^Chrome on /).waitFor();
      expect(await page.locator('[type=password]').count()).toBe(0);
      found.push(...(await faults(page, 'an account of a provider')));

      // The provider asks whether to sign out there, too, and leads back.
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.waitForURL(`${provider.issuer}/session/end?*`);
      await page.evaluate(`
        document.forms[0].append(Object.assign(document.createElement('input'), { name: 'logout', value: 'yes' }));
        document.forms[0].submit();
      `);
      await heading(page, 'Sign in').waitFor();
      provider.account = undefined;
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await page.getByText('It was cancelled, or refused there.').waitFor();

      provider.account = 'ada';
      await page.getByRole('link', { name: 'Back to the sign-in' }).click();
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await heading(page, 'Welcome').waitFor();
      await openAccount(page, 'ada@example.org');
      await page.getByRole('button', { name: 'Delete account' }).click();
      found.push(...(await faults(page, 'a dialog that deletes an account of a provider')));
      await page.getByLabel('Your e-mail address').fill('ada@example.org');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
      await heading(page, 'Account deleted').waitFor();
      expect(serious(complaints)).toEqual([]);
    } finally {
      await context.close();
      await server.stop();
      await provider.kill();
    }
  });

  test('leaves the title of a task wide when a field is added beside it', async () => {
    const { url, browser } = built();
    const { page, context } = await openWindow(browser, url);
    await page.goto('/sign-up');
    await enter(page, 'Sign up', 'lise@example.org');
    await heading(page, 'Welcome').waitFor();
    await addList(page, 'Groceries');
    const isAdded = page.waitForResponse((response) => response.url().endsWith('call=tasks.add'));
    await addTask(page, 'Water the plants');
    await isAdded;
    // A task that was just added may be made anew while the list is loaded.
    await page.reload();
    await task(page, 'Water the plants').waitFor();
    const row = page.getByRole('listitem').filter({ has: task(page, 'Water the plants') });
    for (const className of ['input', '']) {
      await row.evaluate((item, name) => {
        const field = Object.assign(item.ownerDocument.createElement('input'), {
          type: 'date',
          className: name,
        });
        item.children[0]?.after(field);
      }, className);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const title = await row.locator('.name').boundingBox();
        // In one line.
        expect(title?.height, `class="${className}", ${width} pixels`).toBeLessThan(30);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
      await row.locator('[type=date]').evaluate((field) => field.remove());
    }
    // What has no class is styled by a few rules about text alone.
    const selectors = (await page.evaluate(`
      const rulesOf = (rules) => [...rules].flatMap((rule) => rule.selectorText?.split(', ') ?? rulesOf(rule.cssRules ?? []));
      [...document.styleSheets].flatMap((sheet) => rulesOf(sheet.cssRules));
    `)) as string[];
    const ofElements = selectors.filter((selector) => /(?:^|[\s>+~(])[a-z]/.test(selector));
    expect([...new Set(ofElements)].sort()).toEqual(['a', 'body', 'button', 'h1', 'h2', 'input', 'p', 'ul']);
    await context.close();
  });
}
