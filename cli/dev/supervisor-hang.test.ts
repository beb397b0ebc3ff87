// Code that never listens, or never ends: it is aborted by every change, by the key and at the end.
import { existsSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pathIn } from '../../framework/files/absolute-path.js';
import { isRunning } from '../bundle/bundle-folder.js';
import { Bundler } from '../bundle/bundler.js';
import { Cancellation } from '../watch/cancellation.js';
import { startTrialApp, type TrialApp } from './trial-app.js';

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const server = (word: string): string =>
  `import http from 'node:http'; http.createServer((request, response) => response.end('${word}')).listen(4567);`;

/** Writes its process id to the file `booting`, then does not continue. */
const hanging = {
  waits: `import { writeFileSync } from 'node:fs';
    setInterval(() => {}, 1e3);
    writeFileSync('booting', String(process.pid));
    await new Promise(() => {});`,
  loops: `import { writeFileSync } from 'node:fs';
    writeFileSync('booting', String(process.pid));
    for (;;) {}`,
};
const kinds = ['waits', 'loops'] as const;

/** A save some seconds ago. */
const longAgo = () => ({ began: performance.now() - 5000 });

async function start(main: string, more: Parameters<typeof startTrialApp>[2] = {}): Promise<TrialApp> {
  app = await startTrialApp({ 'src/main.ts': main }, undefined, more);
  return app;
}

/** Resolves to the id of the process that hangs during its start. */
function booting(root: string): Promise<number> {
  const file = join(root, 'booting');
  return new Promise((settle) => {
    const look = (): void => {
      if (!existsSync(file) || readFileSync(file, 'utf8') === '') return;
      watcher.close();
      settle(Number(readFileSync(file, 'utf8')));
    };
    const watcher = watch(root, look);
    look();
  });
}

const gone = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

describe('a start that hangs', () => {
  it.each(kinds)('is aborted at the next save, for code that %s', async (kind) => {
    const { root, save, get } = await start(server('good'));
    void save('src/main.ts', hanging[kind], longAgo());
    const pid = await booting(root);
    await save('src/main.ts', server('fixed'));
    expect((await get('/')).text).toBe('fixed');
    await gone(pid);
  });

  it.each(kinds)(
    'is aborted at the next save if no version has started before, for code that %s',
    async (kind) => {
      const { root, save, get, supervisor } = await start('throw new Error("not yet");');
      void save('src/main.ts', hanging[kind], longAgo());
      const pid = await booting(root);
      await save('src/main.ts', server('fixed'));
      expect((await get('/')).text).toBe('fixed');
      expect(supervisor.live?.pid).not.toBe(pid);
      await gone(pid);
    },
  );

  it('is aborted by the key, even if earlier starts were aborted too', async () => {
    const { root, save, supervisor, write, get } = await start(server('good'));
    // After three, the next start has some time before a save aborts it.
    for (let n = 0; n < 4; n += 1) {
      rmSync(join(root, 'booting'), { force: true });
      void save('src/main.ts', `${hanging.waits} // ${n}`, longAgo());
      await booting(root);
    }
    const cancel = vi.spyOn(Cancellation.prototype, 'cancel');
    write('src/main.ts', server('fixed'));
    supervisor.change({
      what: 'restarted',
      files: [],
      rebuild: true,
      environment: true,
      atOnce: true,
      began: performance.now(),
    });
    expect(cancel).toHaveBeenCalledExactlyOnceWith(0);
    cancel.mockRestore();
    await supervisor.idle();
    expect((await get('/')).text).toBe('fixed');
  });

  it.each(kinds)('is aborted at the end, for code that %s', async (kind) => {
    const { root, save, close } = await start(server('good'));
    void save('src/main.ts', hanging[kind], longAgo());
    const pid = await booting(root);
    await close();
    app = undefined;
    await gone(pid);
  });

  it('is aborted at a save that comes before it has begun', async () => {
    let saved: Promise<void> | undefined;
    const trial = await start(server('good'), {
      onBundle() {
        if (app && !saved) saved = trial.save('src/main.ts', server('fixed'));
      },
    });
    await trial.save('src/main.ts', hanging.waits);
    await saved;
    expect((await trial.get('/')).text).toBe('fixed');
  });

  it('is not included in the reported time of the next save', async () => {
    const { root, save, printed } = await start(server('good'));
    void save('src/main.ts', hanging.waits, { began: performance.now() - 3_600_000 });
    await booting(root);
    await save('src/main.ts', server('fixed'));
    const [, took] = /src\/main\.ts changed .*ready in (\d+) ms/.exec(printed()) ?? [];
    expect(Number(took)).toBeLessThan(3_600_000);
  });
});

describe('a build that hangs', () => {
  it('lets the version before answer, whatever is saved meanwhile, and new code when it is done', async () => {
    const { root, save, get, supervisor, listener, printed } = await start(server('good'), { slowAfter: 20 });
    const main = pathIn(root, 'src/main.ts');
    const { build } = Bundler.prototype;
    let end = (): void => {};
    const gate = new Promise<void>((settle) => {
      end = settle;
    });
    const hanging = vi.spyOn(Bundler.prototype, 'build').mockImplementationOnce(async function (
      this: Bundler,
      ...args
    ) {
      await gate;
      return build.apply(this, args);
    });
    const saved = save('src/main.ts', server('new'));
    expect((await get('/')).text).toBe('good');
    supervisor.expectChange(main);
    expect((await get('/')).text).toBe('good');
    expect(printed()).toContain(
      'the build takes long; the last good version keeps answering until it is done',
    );
    end();
    await saved;
    expect((await get('/')).text).toBe('new');
    hanging.mockRestore();
    // The next change holds requests again.
    supervisor.expectChange(main);
    const waiting = get('/');
    await expect.poll(() => listener.held).toBe(1);
    supervisor.expectNothing();
    expect((await waiting).text).toBe('new');
  });
});

describe('a spare process whose package hangs while it is loaded', () => {
  /** Hangs while there is a file `slow`, until there is a file `go`. */
  const slow = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    if (existsSync('slow')) {
      writeFileSync('booting', String(process.pid));
      while (!existsSync('go')) await delay(10);
    }`;
  const main = (word: string, more = ''): string => `import 'slow'; ${more} ${server(word)}`;

  it('ends when it is loaded, if a newer change did not wait for it', async () => {
    let newer: Promise<void> | undefined;
    let isNext = false;
    app = await startTrialApp(
      {
        'node_modules/slow/package.json': '{"type":"module","main":"index.js"}',
        'node_modules/slow/index.js': slow,
        'src/main.ts': main('first', "import { writeFileSync } from 'node:fs'; writeFileSync('slow', '');"),
      },
      undefined,
      {
        onBundle() {
          if (!isNext) return;
          isNext = false;
          // Once the cycle waits for the spare process.
          setImmediate(() => {
            rmSync(join(root, 'slow'));
            newer = save('src/main.ts', main('third'), { atOnce: true });
          });
        },
      },
    );
    const { root, save, get, write } = app;
    const spare = await booting(root);
    isNext = true;
    await save('src/main.ts', main('second'));
    await newer;
    expect((await get('/')).text).toBe('third');
    expect(isRunning(spare)).toBe(true);
    write('go', '');
    await gone(spare);
  });
});

describe('a request that old code in a loop has not accepted', () => {
  /** Loops at `/loop` until there is a file `go`, after it has written the file `booting`. */
  const looping = `
    import { existsSync, writeFileSync } from 'node:fs';
    import http from 'node:http';
    http.createServer((request, response) => {
      if (request.url === '/loop') {
        writeFileSync('booting', String(process.pid));
        while (!existsSync('go'));
      }
      response.end('old');
    }).listen(4567);`;

  it('is answered by the new code, and not again by the old code when its loop ends', async () => {
    const { root, save, get, listener, write } = await start(looping);
    const slow = get('/loop');
    await booting(root);
    const waiting = [get('/'), get('/')];
    // One request is on its way to the worker, which does not confirm that it has it.
    await expect.poll(() => listener.held).toBe(1);
    await save('src/main.ts', server('new'));
    expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual(['new', 'new']);
    expect((await get('/')).text).toBe('new');
    write('go', '');
    expect((await slow).text).toBe('old');
    expect((await get('/')).text).toBe('new');
  });
});
