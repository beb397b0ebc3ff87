// The tutorial, followed to the letter in an empty folder: each file, each diff, each command, in a browser what the
// reader should see, and the compiler after each commit.
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, startDev } from './dev-session.js';
import { freePort } from './free-port.js';
import { checkout, packedTarball, run, temporaryDirectory } from './packed.js';
import { type Action, tutorialSteps } from './tutorial-steps.js';

const steps = tutorialSteps(readFileSync(join(checkout, 'framework/docs/tutorial.md'), 'utf8'));
const author = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' };
const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' };

/** What the reader has open, and where. */
let folder: string;
let dev: DevSession | undefined;
let server: ChildProcess | undefined;
let serverPort: number;
let browser: Browser;
let origin: string;

describe.skipIf(noBrowser !== undefined)('the tutorial', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    folder = temporaryDirectory('fw-tutorial');
    copyFileSync(packedTarball(), join(folder, 'fw-0.9.0.tgz'));
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await dev?.end('SIGTERM');
    // The shell between npm and the app passes no signal on.
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
  });

  it('has eight steps', () => {
    expect(steps.map(({ title }) => title)).toEqual([
      '1. A new app',
      '2. The first procedures',
      '3. A page',
      '4. Live updates',
      '5. A database',
      '6. Accounts',
      '7. Tests',
      '8. A server',
    ]);
  });

  it('1: begins with an app that answers', async () => {
    await follow(0);
    expect(await text('/')).toContain('It works');
    expect(await text('/docs')).toContain('Tasks');
  });

  it('2: has procedures, which the documentation shows', async () => {
    const printed = await follow(1);
    expect(printed).toContain('{"jsonrpc":"2.0","result":{"id":2,"text":"Bread","isDone":false},"id":1}');
    expect(await text('/docs/openapi.json')).toContain('addItem');
    await compiles();
  });

  it('3: has a page that adds and checks off', async () => {
    // The reader presses q: a running `fw dev` would write the client again where it was.
    await dev?.end('SIGTERM');
    await follow(2);
    expect(existsSync(join(folder, 'src/client.ts'))).toBe(false);
    const page = await open();
    await page.getByPlaceholder('What is missing?').fill('Bread');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('checkbox', { name: 'Bread' }).click();
    await page.locator('.done', { hasText: 'Bread' }).waitFor();
    expect(await page.locator('.done').count()).toBe(1);
    await page.close();
    await compiles();
    // What the reader breaks.
    const file = join(folder, 'web/main.tsx');
    const source = readFileSync(file, 'utf8');
    const from = dev?.printed().length;
    writeFileSync(file, source.replace('addItem({ text:', 'addItem({ txt:'));
    await dev?.says(/'txt' does not exist/, from);
    writeFileSync(file, source);
  });

  it('4: shows in one window what another one adds', async () => {
    await follow(3);
    const [one, other] = [await open('Milk'), await open('Milk')];
    await add(one, 'Butter');
    await other.getByText('Butter').waitFor();
    await one.close();
    await other.close();
    await compiles();
  });

  it('5: keeps what was added', async () => {
    await follow(4);
    const page = await open();
    await add(page, 'Butter');
    await startAgain();
    await page.close();
    await (await open('Butter')).close();
    await compiles();
  });

  it('6: has accounts', async () => {
    const printed = await follow(5);
    expect(printed).toMatch(/accounts\.signIn.*anyone/);
    const [ada, ben] = [await signedUp('Ada'), await signedUp('Ben')];
    await add(ada, 'Tea');
    await ben.getByText('Tea Ada').waitFor();
    await ben.getByRole('checkbox', { name: 'Tea' }).click();
    await ada.locator('.done', { hasText: 'Tea' }).waitFor();
    await ben.getByRole('button', { name: 'Sign out' }).click();
    await ben.getByRole('button', { name: 'Create an account' }).waitFor();
    await ada.close();
    await ben.close();
    await compiles();
  });

  it('7: has tests that pass, and nothing that the linter finds', async () => {
    const printed = await follow(6);
    expect(printed).toMatch(/3 passed/);
    // The reader typed the page as the formatter writes it.
    expect(printed).toContain('No fixes applied');
    expect(printed).not.toMatch(/Fixed \d+ file/);
    await compiles();
  });

  it('8: is built, and starts with a secret', async () => {
    const printed = await follow(7);
    expect(printed).toContain('dist/main.js');
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${serverPort}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    const call = { jsonrpc: '2.0', id: 1, method: 'accounts.current' };
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${serverPort}/rpc`, {
      method: 'POST',
      headers,
      body: JSON.stringify(call),
    });
    // Only with a token: the page gets one with its first request.
    expect(answer.status).toBe(403);
    const refused = await run('npm', ['start'], { cwd: folder, env: { NODE_ENV: 'production' } });
    expect(refused.stdout + refused.stderr).toContain('CSRF_SECRET is missing; make one: node -p');
    expect(refused.exitCode).toBe(1);
  });
});

/** Does what a step says. @returns what the commands have printed */
async function follow(index: number): Promise<string> {
  let printed = '';
  for (const action of steps[index]?.actions ?? []) printed += await act(action);
  return printed;
}

async function act(action: Action): Promise<string> {
  if (action.kind === 'run') return command(action.command);
  if (action.kind === 'write') {
    const path = join(folder, action.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, action.text);
    return '';
  }
  const result = await run('git', ['apply', '-'], { cwd: folder, input: action.text });
  if (result.exitCode !== 0) throw new Error(`a diff does not apply: ${result.stderr}\n${action.text}`);
  return '';
}

async function command(line: string): Promise<string> {
  if (line.startsWith('cd ')) {
    folder = join(folder, line.slice(3));
    return '';
  }
  if (line === 'npm run dev') {
    await startAgain();
    return '';
  }
  if (line.endsWith(' npm start')) {
    serverPort = await freePort();
    const text = line.replace('PORT=8080', `PORT=${serverPort}`).replace('npm start', 'exec npm start');
    server = spawn('bash', ['-c', text], { cwd: folder, stdio: 'ignore', detached: true });
    return '';
  }
  const text = line.replace('http://127.0.0.1:3000', origin);
  const result = await run('bash', ['-c', text], {
    cwd: folder,
    env: { ...author, ...committer, npm_config_yes: 'true', npm_config_prefer_offline: 'true' },
  });
  if (result.exitCode !== 0) throw new Error(`${line} failed:\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

async function startAgain(): Promise<void> {
  await dev?.end('SIGTERM');
  dev = await startDev({ app: folder });
  origin = `http://127.0.0.1:${dev.port}`;
}

async function text(path: string): Promise<string> {
  const response = await fetch(origin + path);
  expect(response.status).toBe(200);
  return response.text();
}

/** Opens the page as it is after the last save, which the server and Vite may still be busy with. */
async function open(sign = 'Groceries'): Promise<Page> {
  const page = await browser.newPage();
  await expect
    .poll(
      async () => {
        await page.goto(origin);
        const seen = page.getByText(sign).first().waitFor({ timeout: 10_000 });
        return seen.then(() => 'seen').catch(String);
      },
      { timeout: 90_000 },
    )
    .toBe('seen');
  return page;
}

async function add(page: Page, item: string): Promise<void> {
  await page.getByPlaceholder('What is missing?').fill(item);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText(item).waitFor();
}

async function signedUp(name: string): Promise<Page> {
  const page = await open('Create an account');
  await page.getByPlaceholder('Name').fill(name);
  await page.getByPlaceholder('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

/** What was committed compiles, the page included. */
async function compiles(): Promise<void> {
  for (const project of ['.', 'web']) {
    const result = await run('npx', ['tsc', '--noEmit', '-p', project], { cwd: folder });
    if (/TS5058|TS5081/.test(result.stdout)) continue;
    expect(result.stdout).toBe('');
  }
}
