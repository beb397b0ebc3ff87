// How the compiler's process is started, and when its program is read.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Api from 'typescript/unstable/sync';
import * as api from 'typescript/unstable/sync';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { project, removeProjects } from '../../conformance/inferred-project.js';
import { absolutePath, pathIn } from '../../files/absolute-path.js';
import { Ts7Program } from './program.js';

const channel = fileURLToPath(
  new URL('../../../node_modules/typescript/dist/api/syncChannel.js', import.meta.url),
);
const { SyncRpcChannel } = await import(pathToFileURL(channel).href);

afterEach(() => vi.unstubAllEnvs());
afterEach(() => vi.restoreAllMocks());
afterAll(removeProjects);

/** The environment that a process of the compiler would inherit. */
function growthAtStart(once: boolean): string | undefined {
  let growth: string | undefined;
  class Start {
    constructor() {
      growth = process.env.GOGC;
    }
  }
  new Ts7Program({ API: Start } as unknown as typeof Api, absolutePath('/app/tsconfig.json'), once);
  return growth;
}

describe('the process of TypeScript 7', () => {
  it('collects less garbage if it is used once, and leaves the environment as it is', () => {
    vi.stubEnv('GOGC', undefined);
    expect(growthAtStart(false)).toBeUndefined();
    expect(growthAtStart(true)).toBe('800');
    expect(process.env.GOGC).toBeUndefined();
  });

  it('has read the program when that was waited for', () => {
    const program = new Ts7Program(
      api,
      pathIn(project('typescript', "rpc.query('one', () => 1);"), 'tsconfig.json'),
      true,
    );
    onTestFinished(() => program.close());
    const answers = vi.spyOn(SyncRpcChannel.prototype, 'readTuple');
    expect(program.project.configFileName).toMatch(/tsconfig\.json$/);
    // Those to `initialize` and `updateSnapshot`, which were asked at the start.
    expect(answers).toHaveBeenCalledTimes(2);
  });

  it.runIf(existsSync('/proc'))('ends when it is closed, whether the program was needed or not', async () => {
    const config = pathIn(project('typescript', "rpc.query('one', () => 1);"), 'tsconfig.json');
    const before = children();
    const [used, unused] = [new Ts7Program(api, config, true), new Ts7Program(api, config, true)];
    const started = children().filter((one) => !before.includes(one));
    expect(started).toHaveLength(2);
    used.files();
    used.close();
    unused.close();
    await expect.poll(() => children().filter((one) => started.includes(one))).toEqual([]);
  });
});

function children(): string[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
}
