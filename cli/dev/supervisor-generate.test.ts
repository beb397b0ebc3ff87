// The cycle and the client that is generated for a change: new code waits for it, and is built with it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import type { Generating } from './client/generating.js';
import { startTrialApp, type TrialApp } from './trial-app.js';

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const server = (answer: string, more = ''): string => `
import http from 'node:http';
${more}
http.createServer((request, response) => { ${answer} }).listen(4567);
`;

/** A promise, and the function that settles it. */
function signal(): { happened: Promise<void>; happens: () => void } {
  let happens: () => void = () => {};
  const happened = new Promise<void>((settle) => {
    happens = settle;
  });
  return { happened, happens: () => happens() };
}

/** Generates until `done` settles, and reports when the cycle begins to wait for that, which is after the start. */
function waiting(
  sources: AbsolutePath[],
  settled: Promise<void>,
  done: Promise<void>,
  onAsked: () => void,
): Generating {
  return {
    sources,
    settled,
    get done() {
      onAsked();
      return done;
    },
  };
}

describe('a file that is generated for a change', () => {
  const main = (word: string): string =>
    server(`response.end('${word} ' + made);`, "import made from './made.json' with { type: 'json' };");
  const files = { 'src/main.ts': main('old'), 'src/made.json': '1' };

  it('is written before the new code answers, and requests wait for both', async () => {
    const [asked, done] = [signal(), signal()];
    app = await startTrialApp(files, ({ what }) =>
      what === 'started' ? undefined : waiting([], Promise.resolve(), done.happened, asked.happens),
    );
    const saved = app.save('src/main.ts', main('new'));
    let isDone = false;
    const answer = app.get('/').then(({ text }) => [text, isDone]);
    await asked.happened;
    isDone = true;
    done.happens();
    expect(await answer).toEqual(['new 1', true]);
    await saved;
  });

  it('keeps back what the start tells of a missing contract until it is there, or is not written', async () => {
    const warned = () =>
      existsSync(join(app?.root ?? '', 'warned'))
        ? readFileSync(join(app?.root ?? '', 'warned'), 'utf8')
        : '';
    const telling = (word: string): string =>
      server(
        `response.end('${word} ' + made);`,
        `import { appendFileSync } from 'node:fs';
import { channel } from 'node:diagnostics_channel';
import made from './made.json' with { type: 'json' };
channel('fw:unchecked').publish(() => appendFileSync('warned', '${word} ' + made + '; '));`,
      );
    const asked = signal();
    let isWritten = false;
    app = await startTrialApp(files, ({ what, files: changed }) => {
      if (what === 'started' || changed.some((file) => file.endsWith('.json'))) return undefined;
      const done = asked.happened.then(() => {
        if (isWritten) app?.write('src/made.json', '2 ');
      });
      return waiting([absolutePath(join(app?.root ?? '', 'src/made.json'))], done, done, () => {
        expect(warned()).toBe('');
        asked.happens();
      });
    });
    isWritten = true;
    await app.save('src/main.ts', telling('new'));
    expect((await app.get('/')).text).toBe('new 2');
    await vi.waitFor(() => expect(warned()).toBe('new 2; '));
  });

  it.each(['early', 'after the boot'])('is part of the build if the server imports it: %s', async (when) => {
    const changes: string[][] = [];
    const asked = signal();
    app = await startTrialApp(files, ({ what, files }) => {
      if (what === 'started') return undefined;
      changes.push(files.map((file) => file.slice(app?.root.length).replaceAll('\\', '/')));
      if (changes.length > 1) return undefined;
      const begin = when === 'early' ? Promise.resolve() : asked.happened;
      const settled = begin.then(() => void app?.write('src/made.json', '2 '));
      return waiting([absolutePath(join(app?.root ?? '', 'src/made.json'))], settled, settled, asked.happens);
    });
    await app.save('src/main.ts', main('new'));
    expect((await app.get('/')).text).toBe('new 2');
    expect(changes[0]).toEqual(['/src/main.ts']);
    expect(app.printed().match(/ready in/g)).toHaveLength(2);
  });

  it('fixes a build that fails without it', async () => {
    app = await startTrialApp({ 'src/main.ts': server("response.end('old');") }, ({ what }) => {
      if (what === 'started') return undefined;
      const settled = Promise.resolve().then(() => void app?.write('src/made.json', '2'));
      return { sources: [absolutePath(join(app?.root ?? '', 'src/made.json'))], settled, done: settled };
    });
    await app.save('src/main.ts', main('new'));
    expect((await app.get('/')).text).toBe('new 2');
    expect(app.printed()).not.toContain('failed');
  });

  it('is part of the next build if it was written for a change that was given up', async () => {
    const never = new Promise<never>(() => {});
    const asked = signal();
    const made = () => absolutePath(join(app?.root ?? '', 'src/made.json'));
    let isFirst = true;
    app = await startTrialApp(files, ({ what }) => {
      if (what === 'started') return undefined;
      if (isFirst) return waiting([made()], never, never, asked.happens);
      // What was generated for the first change fits the second.
      return waiting([made()], Promise.resolve(), Promise.resolve(), () => {});
    });
    const first = app.save('src/main.ts', main('first'));
    await asked.happened;
    app.write('src/made.json', '2');
    isFirst = false;
    await Promise.all([first, app.save('src/main.ts', main('second'))]);
    expect((await app.get('/')).text).toBe('second 2');
  });

  it('is not waited for after a newer change', async () => {
    const never = new Promise<never>(() => {});
    const asked = signal();
    let isFirst = true;
    app = await startTrialApp(files, ({ what }) =>
      what !== 'started' && isFirst ? waiting([], never, never, asked.happens) : undefined,
    );
    const first = app.save('src/main.ts', main('first'));
    await asked.happened;
    isFirst = false;
    await Promise.all([first, app.save('src/main.ts', main('second'))]);
    expect((await app.get('/')).text).toBe('second 1');
  });
});
