// `npm run soak [-- --minutes 120]`: the long form of soak.test.ts, with its table. Exits with 1 if something does not hold.
// `--break write,event` and others break something on purpose, to see that it is found.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SABOTAGES } from './sabotages.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, break: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes >= 0)) throw new Error('--minutes takes a number');
const broken = values.break?.split(',') ?? [];
if (broken.some((name) => !SABOTAGES.some((one) => one === name))) {
  throw new Error(`--break takes some of ${SABOTAGES.join(',')}`);
}
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
// What the test prints is wanted as it comes, also if it passes.
const args = [
  'run',
  'e2e/soak/soak.test.ts',
  '--project=long',
  '--silent=false',
  '--disableConsoleIntercept',
];
const run = spawn(process.execPath, [vitest, ...args], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  // Servers that are missing are a failure here.
  env: {
    ...process.env,
    CI: 'true',
    FW_SOAK_MINUTES: String(minutes),
    FW_SOAK_BREAK: broken.join(','),
  },
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal));
const [code] = await once(run, 'exit');
process.exit(code ?? 1);
