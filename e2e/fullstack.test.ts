// The template fullstack: from the packed package to a built app in a browser.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../framework/conformance/databases.js';
import { accountJourneys, storedLink } from './account-journeys.js';
import { launchBrowser, noBrowser } from './browser.js';
import { type BuiltApp, startBuilt } from './built-app.js';
import { freePort } from './free-port.js';
import { judgedPages } from './lighthouse/judged-pages.js';
import {
  addList,
  addTask,
  enter,
  faults,
  heading,
  openWindow,
  password,
  task,
  titles,
  type Window,
} from './lists-page.js';
import { npm, run, scaffold } from './packed.js';

/** The calls of the page, which has their names in the URL. */
const CALLS = /\/rpc\?call=/;

describe('an app of the template fullstack', () => {
  let app: string;
  let server: BuiltApp | undefined;
  let url: string;
  let browser: Browser | undefined;

  beforeAll(async () => {
    app = await scaffold({ template: 'fullstack', name: 'lists' });
    if (noBrowser === undefined) browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test('passes its checks and its tests, and its client is up to date', () => {
    npm(['run', 'typecheck'], app);
    npm(['run', 'lint'], app);
    npm(['exec', 'fw', 'generate', '--', '--check'], app);
    expect(npm(['test'], app)).toMatch(/Tests +(\d+) passed \(\1\)/);
  });

  const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');

  test.skipIf(postgres?.missing !== undefined)('passes its tests with PostgreSQL', async () => {
    const database = await postgres?.create();
    try {
      // Those with queries of their own; the others have run with SQLite.
      const args = ['node_modules/vitest/vitest.mjs', 'run', 'src/lists', 'src/auth/accounts'];
      const env = { TEST_DATABASE_URL: database?.url, NO_COLOR: '1' };
      const tested = await run(process.execPath, args, { cwd: app, env });
      expect(tested.stdout).toMatch(/Tests +(\d+) passed \(\1\)/);
    } finally {
      await database?.drop();
    }
  });

  test('is built, and started as one process', async () => {
    npm(['run', 'build'], app);
    server = await startBuilt(app, await freePort());
    url = server.url;
  });

  test('serves the page at every address, and assets that browsers keep', async () => {
    const html = { accept: 'text/html' };
    const page = await fetch(`${url}/lists/7`, { headers: html });
    expect(page.headers.get('cache-control')).toMatch(/no-cache|no-store/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).toContain('<div id="root">');
    const assets = readdirSync(join(app, 'dist/web/assets')).filter((name) => /\.(?:js|css)$/.test(name));
    expect(assets.length).toBeGreaterThanOrEqual(2);
    for (const name of assets) {
      for (const coding of ['br', 'gzip']) {
        const asset = await fetch(`${url}/assets/${name}`, { headers: { 'accept-encoding': coding } });
        expect(asset.headers.get('content-encoding'), name).toBe(coding);
        expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(asset.headers.get('set-cookie')).toBeNull();
      }
    }
    expect((await fetch(`${url}/assets/missing.js`, { headers: html })).status).toBe(404);
    expect((await fetch(`${url}/rpc`, { headers: html })).status).toBe(405);
  });

  describe.skipIf(noBrowser !== undefined)('in a browser', () => {
    let first: Window;
    const found: unknown[] = [];

    test('signs up, out and in', async () => {
      first = await openWindow(browser, url);
      const { page, context } = first;
      await page.goto('/sign-up');
      found.push(...(await faults(page, 'sign-up')));
      await enter(page, 'Sign up', 'ada', 'short');
      await page.getByText('E-mail is not an e-mail address.').waitFor();
      await page.getByText('Password needs at least 12 characters.').waitFor();
      expect(await page.getByLabel('E-mail').evaluate((field) => field.matches(':focus'))).toBe(true);
      found.push(...(await faults(page, 'faults of a sign-up')));
      await enter(page, 'Sign up', 'ada@example.org');
      await heading(page, 'Welcome').waitFor();
      const cookies = await context.cookies();
      expect(cookies.find(({ name }) => name === 'sid')).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
      found.push(...(await faults(page, 'no lists')));

      await page.getByRole('button', { name: 'Sign out' }).click();
      await enter(page, 'Sign in', 'ada@example.org', 'wrong');
      await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
      found.push(...(await faults(page, 'a wrong password')));
      await enter(page, 'Sign in', 'ada@example.org', password);
      await heading(page, 'Welcome').waitFor();
    });

    test('adds, edits, finishes and deletes', async () => {
      const { page } = first;
      await addList(page, 'Groceries');
      await page.getByText('Nothing to do yet.').waitFor();
      found.push(...(await faults(page, 'an empty list')));
      for (const title of ['Milk', 'Bread', 'Apples']) await addTask(page, title);
      await task(page, 'Bread').check();
      await page.getByRole('button', { name: 'Edit Milk' }).click();
      found.push(...(await faults(page, 'an edited task')));
      await page.getByLabel('Title of the task').fill('Oat milk');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Delete Apples' }).click();
      await page.getByRole('link', { name: 'Groceries 1 open' }).waitFor();
      expect(await titles(page)).toEqual(['Oat milk', 'Bread']);
      found.push(...(await faults(page, 'a list')));

      await page.getByRole('button', { name: 'Edit Groceries' }).click();
      await page.getByLabel('Name of the list').fill('Shopping');
      await page.keyboard.press('Enter');
      await heading(page, 'Shopping').waitFor();
      expect(await page.title()).toBe('Shopping · Lists');
    });

    test('is the same after a reload on a deep link, and after a restart of the app', async () => {
      const { page } = first;
      expect(new URL(page.url()).pathname).toMatch(/^\/lists\//);
      const port = Number(new URL(url).port);
      await server?.stop();
      await page.getByText('Connecting again…').waitFor();
      server = await startBuilt(app, port);
      await page.getByText('Connecting again…').waitFor({ state: 'detached' });
      await page.reload();
      await task(page, 'Oat milk').waitFor();
      expect(await titles(page)).toEqual(['Oat milk', 'Bread']);
      await page.goto('/lists/nowhere');
      await heading(page, 'Not found').waitFor();
      found.push(...(await faults(page, 'not found')));
      await page.goBack();
      await task(page, 'Oat milk').waitFor();
    });

    test('shows the changes of another window at once, and its sign-out', async () => {
      const second = await openWindow(browser, url, first.context);
      await second.page.goto(first.page.url());
      await task(second.page, 'Oat milk').waitFor();
      // A token that is gone, as after the end of a session, is replaced without a notice.
      await first.context.clearCookies({ name: 'csrf' });
      await addTask(first.page, 'Tea');
      await task(second.page, 'Tea').waitFor();
      await task(second.page, 'Tea').check();
      await expect.poll(() => task(first.page, 'Tea').isChecked()).toBe(true);
      await second.page.getByRole('button', { name: 'Sign out' }).click();
      await heading(first.page, 'Sign in').waitFor();
      await enter(first.page, 'Sign in', 'ada@example.org');
      // Where the user was before.
      await task(first.page, 'Tea').waitFor();
      // The other window has the new session, too, without a reload.
      await task(second.page, 'Tea').waitFor();
      // One whose session ends elsewhere asks when it comes to the front, however new what it shows is.
      const cookies = await first.context.cookies();
      await first.context.clearCookies({ name: 'sid' });
      await first.page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await heading(first.page, 'Sign in').waitFor();
      await first.context.addCookies(cookies);
      await first.page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await task(first.page, 'Tea').waitFor();
      await second.page.close();
    });

    test('changes the password, and signs other browsers out', async () => {
      const [here, there] = [await openWindow(browser, url), await openWindow(browser, url)];
      const email = 'grace@example.org';
      await here.page.goto('/sign-up');
      await enter(here.page, 'Sign up', email, 'password1234');
      await here.page.getByText('Password is one of those that are tried first.').waitFor();
      await enter(here.page, 'Sign up', email);
      await heading(here.page, 'Welcome').waitFor();
      const signInThere = async (secret: string) => {
        await enter(there.page, 'Sign in', email, secret);
        await heading(there.page, 'Welcome').waitFor();
      };
      await there.page.goto('/sign-in');
      await signInThere(password);

      const { page } = here;
      await page.getByRole('link', { name: email }).click();
      await heading(page, 'Your account').waitFor();
      const signOutThere = page.getByRole('button', { name: /^Sign out Chrome on / });
      await signOutThere.waitFor();
      found.push(...(await faults(page, 'the account')));
      await signOutThere.click();
      await heading(there.page, 'Sign in').waitFor();
      await signOutThere.waitFor({ state: 'detached' });
      await signInThere(password);

      const change = async (current: string) => {
        await page.getByLabel('Current password').fill(current);
        await page.getByLabel('New password').fill('staple battery horse');
        await page.getByRole('button', { name: 'Change password' }).click();
      };
      await change('wrong');
      await page.getByText('Current password is wrong.').waitFor();
      found.push(...(await faults(page, 'a wrong current password')));
      await change(password);
      await page.getByText('Changed. All other browsers are signed out.').waitFor();
      await heading(there.page, 'Sign in').waitFor();
      await signInThere('staple battery horse');
      await page.reload();
      await page.getByRole('button', { name: 'Sign out all others' }).click();
      await heading(there.page, 'Sign in').waitFor();
      const complaints = [...here.complaints, ...there.complaints];
      expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
      await Promise.all([here.context.close(), there.context.close()]);
    });

    test('sets a new password with the link of a mail', async () => {
      const { page, context, complaints } = await openWindow(browser, url);
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Forgotten your password?' }).click();
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByText('E-mail is not an e-mail address.').waitFor();
      found.push(...(await faults(page, 'a forgotten password')));
      await page.getByLabel('E-mail').fill('grace@example.org');
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByText('If the address has an account, a mail with a link is on its way.').waitFor();
      await page.goto(`/reset-password#${storedLink(app, 'reset-password', 'grace@example.org')}`);
      await heading(page, 'New password').waitFor();
      await page.getByLabel('New password').fill('password1234');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('New password is one of those that are tried first.').waitFor();
      found.push(...(await faults(page, 'a new password')));
      await page.getByLabel('New password').fill('horse staple battery');
      await page.getByRole('button', { name: 'Change password' }).click();
      await heading(page, 'Password changed').waitFor();
      found.push(...(await faults(page, 'a changed password')));
      await page.getByRole('link', { name: 'Sign in' }).click();
      await enter(page, 'Sign in', 'grace@example.org', 'horse staple battery');
      await heading(page, 'Welcome').waitFor();
      expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
      await context.close();
    });

    accountJourneys(() => ({ app, url, browser, found }));
    judgedPages(() => ({ url, browser }));

    test('keeps what is done offline, and sends it afterwards', async () => {
      const { page, context } = first;
      const other = await openWindow(browser, url);
      await other.page.goto(page.url());
      await enter(other.page, 'Sign in', 'ada@example.org');
      await task(other.page, 'Tea').waitFor();

      await context.setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await addTask(page, 'Written offline');
      await task(page, 'Written offline').check();
      await page.getByText('not sent yet').waitFor();
      found.push(...(await faults(page, 'offline')));
      await addTask(other.page, 'Written elsewhere');
      await context.setOffline(false);
      await task(page, 'Written elsewhere').waitFor();
      await expect.poll(() => task(other.page, 'Written offline').isChecked()).toBe(true);
      await page.getByText('not sent yet').waitFor({ state: 'detached' });
      await other.context.close();
    });

    test('keeps what is done while the server is away, and sends it when it is back', async () => {
      const { page } = first;
      const before = page.url();
      let refusals = 0;
      await page.route(CALLS, (route) =>
        route.request().postData()?.includes('lists.add') && refusals++ < 4
          ? route.fulfill({ status: 503, body: 'deploying' })
          : route.fallback(),
      );
      await addList(page, 'While you deploy');
      await expect.poll(() => refusals, { timeout: 60_000 }).toBe(5);
      await heading(page, 'While you deploy').waitFor();
      await page.unroute(CALLS);
      await page.reload();
      await heading(page, 'While you deploy').waitFor();
      await page.getByRole('button', { name: 'Delete list' }).focus();
      for (const key of ['Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
      await page.getByRole('link', { name: 'While you deploy' }).waitFor({ state: 'detached' });
      await page.goto(before);
      await task(page, 'Tea').waitFor();
    });

    test('takes back what the server refuses, and tells why', async () => {
      const { page } = first;
      const answer = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } };
      await page.route(CALLS, (route) =>
        route.request().postData()?.includes('tasks.add')
          ? route.fulfill({ json: { ...answer, id: JSON.parse(route.request().postData() ?? '').id } })
          : route.fallback(),
      );
      await page.getByLabel('New task').fill('Refused');
      await page.keyboard.press('Enter');
      await page.getByText('The task was not added. Something went wrong on the server.').waitFor();
      await task(page, 'Refused').waitFor({ state: 'detached' });
      found.push(...(await faults(page, 'a notice')));
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.unroute(CALLS);
    });

    test('says what cannot be loaded, and tries again', async () => {
      const { page } = first;
      let isBroken = true;
      let held = () => {};
      const release = new Promise<void>((resolve) => {
        held = resolve;
      });
      await page.route(CALLS, async (route) => {
        if (!route.request().postData()?.includes('lists.all')) return route.fallback();
        await release;
        return isBroken ? route.fulfill({ status: 500, body: '{}' }) : route.fallback();
      });
      await page.reload();
      await page.getByText('Loading your lists').waitFor({ state: 'attached' });
      found.push(...(await faults(page, 'loading')));
      held();
      await page.getByText('Your lists could not be loaded.').waitFor();
      found.push(...(await faults(page, 'a load that failed')));
      isBroken = false;
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await task(page, 'Tea').waitFor();
      await page.unroute(CALLS);
    });

    test('is usable with the keyboard alone', async () => {
      const { page } = first;
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const focused = () =>
        page.evaluate(
          'document.activeElement.ariaLabel ?? document.activeElement.textContent ?? ""',
        ) as Promise<string>;
      await page.goto('/');
      await page.getByRole('link', { name: /^Shopping/ }).waitFor();
      await press('Tab');
      expect(await focused()).toBe('Skip to content');
      await press('Tab', 'Tab');
      expect(await focused()).toBe('ada@example.org');
      await press('Tab', 'Tab', 'Enter');
      await heading(page, 'Shopping').waitFor();
      // The heading of the new page has the focus.
      expect(await focused()).toBe('Shopping');
      await press('Tab', 'Tab', 'Tab');
      expect(await focused()).toBe('New task');
      await page.keyboard.type('By keyboard');
      await press('Enter');
      await task(page, 'By keyboard').waitFor();
      await task(page, 'By keyboard').focus();
      await press('Space', 'Tab', 'Enter');
      await page.keyboard.type('Typed');
      await press('Enter');
      await task(page, 'Typed').waitFor();
      expect(await task(page, 'Typed').isChecked()).toBe(true);
      expect(await focused()).toBe('Edit Typed');
      await press('Enter', 'Escape', 'Tab', 'Enter');
      await task(page, 'Typed').waitFor({ state: 'detached' });
      expect(await focused()).toMatch(/^Delete /);

      await page.getByRole('button', { name: 'Delete list' }).focus();
      await press('Enter');
      await page.getByRole('dialog').waitFor();
      found.push(...(await faults(page, 'a dialog')));
      await press('Escape');
      expect(await focused()).toBe('Delete list');
      await press('Enter', 'Tab', 'Enter');
      await heading(page, 'Welcome').waitFor();
      expect(await focused()).toBe('Welcome');
    });

    test('has nothing that axe finds, that is wider than a narrow window, or that React complains of', () => {
      expect(found).toEqual([]);
      // Browsers report every answer that is not a success, and every connection that is lost.
      expect(first.complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    });
  });
});
