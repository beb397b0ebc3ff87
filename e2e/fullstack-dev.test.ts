// The template fullstack while it is developed: one address, changes of both sides, and the end of both.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { allGone, type DevSession, save, startDev } from './dev-session.js';
import { freePort } from './free-port.js';
import { addList, addTask, enter, heading, openWindow, password, task, type Window } from './lists-page.js';
import { scaffold } from './packed.js';

describe.skipIf(noBrowser !== undefined)('an app of the template fullstack under fw dev', () => {
  let app: string;
  let session: DevSession;
  let frontendPort: number;
  let browser: Browser;
  let window: Window;

  beforeAll(async () => {
    app = await scaffold({ template: 'fullstack', name: 'lists' });
    frontendPort = await freePort();
    const settings = join(app, 'fw.toml');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('5173', String(frontendPort)));
    [browser, session] = await Promise.all([launchBrowser(), startDev({ app })]);
  });
  afterAll(async () => {
    await browser?.close();
    if (session.child.exitCode === null) await session.end('SIGTERM');
  });

  /** Replaces text in a file of the app; gives the length of the output so far. */
  const edit = (file: string, from: string, to: string): number => {
    const path = join(app, file);
    const text = readFileSync(path, 'utf8');
    expect(text, file).toContain(from);
    return save(session, path, text.replaceAll(from, to));
  };

  test('serves the page and the procedures at one address, and labels both outputs', async () => {
    window = await openWindow(browser, `http://127.0.0.1:${session.port}`);
    const { page } = window;
    const streams = { opened: 0, closed: 0 };
    const isStream = (request: Request) => request.postData()?.includes('changes.follow') === true;
    page.on('request', (request) => isStream(request) && streams.opened++);
    page.on('requestfailed', (request) => isStream(request) && streams.closed++);
    await page.goto('/sign-up');
    await enter(page, 'Sign up', 'ada@example.org');
    await heading(page, 'Welcome').waitFor();
    await addList(page, 'Groceries');
    await addTask(page, 'Milk');
    // React in development makes every component twice: one stream must have been closed.
    await expect.poll(() => streams).toEqual({ opened: 2, closed: 1 });
    expect(new URL(page.url()).port).toBe(String(session.port));
    await session.says(/^web │ .*VITE .*ready/m);
    await session.says(/^app │ .*migrated the database: 20260105090000_users/m);
  });

  test('confirms and changes an e-mail address by the links of mails, which are files', async () => {
    const { page } = await openWindow(browser, `http://127.0.0.1:${session.port}`);
    const linkTo = async (email: string): Promise<string> => {
      const mail = new RegExp(`Mail to ${email}: Confirm.*\\n.*?(node_modules\\S+\\.eml)`);
      await session.says(mail);
      const text = readFileSync(join(app, mail.exec(session.printed())?.[1] ?? ''), 'utf8');
      // Its lines are quoted-printable.
      return /\/confirm-email#[\w-]{43}/.exec(text.replaceAll('=\r\n', ''))?.[0] ?? '';
    };
    await page.goto('/sign-up');
    await enter(page, 'Sign up', 'grace@example.org');
    await page.getByText('Confirm your e-mail address').waitFor();
    await page.goto(await linkTo('grace@example.org'));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'Address confirmed').waitFor();

    await page.goto('/account');
    await page.getByLabel('New e-mail address').fill('grace@new.example');
    await page.getByRole('textbox', { name: 'Your password' }).fill('wrong');
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByText('Your password is wrong.').waitFor();
    await page.getByRole('textbox', { name: 'Your password' }).fill(password);
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByText('A link is on its way to grace@new.example.').waitFor();
    await page.goto(await linkTo('grace@new.example'));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('grace@new.example is the address of your account.').waitFor();
    await session.says(/Mail to grace@example\.org: Your e-mail address was changed/);
    await page.context().close();
  });

  test('shows the modules of the frontend in the workbench under their own filter', async () => {
    const workbench = await window.context.newPage();
    await workbench.goto(`http://127.0.0.1:${session.port}/_fw/`);
    await workbench.getByText('No requests yet').waitFor();
    await window.page.reload();
    await heading(window.page, 'Groceries').waitFor();
    await workbench
      .getByRole('link', { name: /POST \/rpc/ })
      .first()
      .waitFor();
    expect(await workbench.getByRole('link', { name: /\.tsx|@vite/ }).count()).toBe(0);
    await workbench.getByRole('button', { name: /^Frontend \d/ }).click();
    await workbench.getByRole('link', { name: /\.tsx/ }).first().waitFor();
    expect(await workbench.getByRole('link', { name: /POST \/rpc/ }).count()).toBe(0);
    await workbench.close();
  });

  test('names a statement that a request runs again and again, with its line and its parameters', async () => {
    const workbench = await window.context.newPage();
    await workbench.goto(`http://127.0.0.1:${session.port}/_fw/`);
    await workbench.getByText('ready', { exact: true }).waitFor();
    const loop =
      "for (let count = 0; count < 6; count++) await requireList(ctx.db(), user.id, rows[0]?.id ?? '');";
    const from = edit('src/lists/lists.ts', '  return rows.map(', `  ${loop}\n  return rows.map(`);
    await session.says(/ready in/, from);
    await window.page.reload();
    await heading(window.page, 'Groceries').waitFor();
    // Those of before the edit are in the list, too.
    await workbench
      .getByRole('link', { name: /lists\.all/ })
      .filter({ hasText: 'N+1 ×6' })
      .first()
      .click();
    const notice = workbench.locator('.notice', { hasText: 'likely N+1' });
    expect(await notice.innerText()).toMatch(
      /6 times the same statement in one request, .* in all: likely N\+1, run by src\/lists\/lists\.ts:\d+/,
    );
    await workbench.getByRole('tab', { name: /^Database/ }).click();
    await workbench.getByText('×6', { exact: true }).waitFor();
    const parameters = workbench.getByRole('group', { name: /^parameters of statement/ });
    expect(await parameters.count()).toBe(0);
    await workbench.getByRole('button', { name: 'Show parameters' }).click();
    const shown = (await parameters.allInnerTexts()).join('\n');
    // The id of the list and that of its owner; the statement that finds the session has masked ones.
    expect(shown).toMatch(/^[\da-f-]{36}, [\da-f-]{36}/m);
    expect(shown).toMatch(/^••••••, ••••••$/m);
    edit('src/lists/lists.ts', `  ${loop}\n`, '');
    await workbench.close();
  });

  test('applies an edit of a component without loading the page again', async () => {
    const { page } = window;
    await page.evaluate('window.isSamePage = true');
    await page.getByLabel('New task').fill('half a word');
    edit('web/src/lists/lists-nav.tsx', 'Your lists</h2>', 'My lists</h2>');
    await page.getByRole('heading', { name: 'My lists' }).waitFor();
    expect(await page.getByLabel('New task').inputValue()).toBe('half a word');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
  });

  test('keeps the user signed in, the page open and the updates live while the backend is replaced', async () => {
    const { page } = window;
    const from = edit('src/lists/tasks.ts', 'there is no task', 'there is not any task');
    await session.says(/ready in/, from);
    await addTask(page, 'Bread');
    const other = await openWindow(browser, page.url(), window.context);
    await other.page.goto(page.url());
    await task(other.page, 'Bread').check();
    await expect.poll(() => task(page, 'Bread').isChecked()).toBe(true);
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await other.page.close();
  });

  test('shows in the same cycle where a change of a procedure does not fit in the page', async () => {
    const { page } = window;
    const from = edit('src/lists/lists.ts', '  name: string;', '  name: string | null;');
    await session.says(/types: \d+ errors?[\s\S]*web\/src\/lists\//, from);
    const corner = page.locator('fw-type-errors');
    await corner.getByText(/^\d+ type errors?$/).click();
    await corner
      .getByText(/web\/src\/lists\/[\w-]+\.tsx?:\d+/)
      .first()
      .waitFor();
    const fixed = edit('src/lists/lists.ts', '  name: string | null;', '  name: string;');
    await session.says(/types: no errors/, fixed);
    await corner.waitFor({ state: 'detached' });
  });

  test('ends with everything that it has started', async () => {
    const started = session.descendants();
    await session.end('SIGTERM');
    await allGone(started);
    for (const port of [session.port, frontendPort]) expect(await isListening(port)).toBe(false);
  });
});

describe('fw generate --watch beside a frontend', () => {
  const running: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of running) {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    }
  });

  test('writes the client of a new procedure, which Vite serves to the page', async () => {
    const app = await scaffold({ template: 'fullstack', name: 'lists' });
    const port = await freePort();
    const start = (...args: string[]): void => {
      running.push(spawn(process.execPath, args, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] }));
    };
    start('node_modules/fw/dist/cli/main.js', 'generate', '--watch');
    start('node_modules/vite/bin/vite.js', 'web', '--host', '127.0.0.1', '--port', String(port));
    const served = async (): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${port}/src/client.ts`).catch(() => undefined);
      return (await answer?.text()) ?? '';
    };
    const patience = { timeout: 60_000, interval: 100 };
    await expect.poll(served, patience).toContain('FwRpcClient');
    const source = join(app, 'src/rpc.ts');
    appendFileSync(source, "\nrpc.query('ping', () => ({ pong: true }));\n");
    await expect.poll(served, patience).toContain('"ping"');
    expect(readFileSync(join(app, 'src/rpc-contract.json'), 'utf8')).toContain('"ping"');
  });
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
