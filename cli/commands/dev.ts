// `fw dev`: serves the app and reloads it on every change of its sources, without losing a request.
import { Command } from 'commander';
import type { DevFlags } from '../dev/settings/dev-settings.js';
import { UsageError } from '../terminal/errors.js';
import { exitWhenWritten } from '../terminal/exit.js';
import { unexpected } from '../terminal/explain-usage.js';

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

export const command: Command = new Command('dev')
  .description('Serve the app and reload it on every change, without losing a request.')
  .option('--port <n>', 'port; 0 takes a free one (default: PORT, fw.toml, 3000)')
  .option('--host <h>', 'address, such as 0.0.0.0 (default: fw.toml, 127.0.0.1)')
  .option('--inspect [port]', 'let a debugger attach, on 127.0.0.1:9229')
  .option('--allowed-host <name>', 'accept this Host name too; repeatable', collect)
  .option('--preload <module>', 'load this module before the app; repeatable', collect)
  .option('--open', 'open the app in a browser once it is ready')
  .usage('[options] [-- <arguments of the app>]')
  .argument('[arguments...]')
  .addHelpText(
    'after',
    `
Examples:
  fw dev                              serve src/main.ts on 127.0.0.1:3000
  fw dev --port 8080 --host 0.0.0.0   let other machines in
  fw dev --allowed-host app.test      answer for http://app.test:3000 too
  fw dev -- --seed demo               give the app the arguments --seed demo

Keys: r restart, o open, w workbench, c clear, q quit, h help.
Exit codes: 0 after q or SIGTERM, 130 after Ctrl+C, 1 or 2 if it cannot start.`,
  )
  .action(async (words: string[], flags: DevFlags, { rawArgs }: { rawArgs: readonly string[] }) => {
    const args = afterDashes(words, rawArgs);
    const { runDev } = await import('../dev/dev-session.js');
    await exitWhenWritten(await runDev({ ...flags, args }));
  });

/** @throws UsageError if one of the arguments is not behind `--` */
function afterDashes(words: readonly string[], line: readonly string[]): readonly string[] {
  const dashes = line.indexOf('--');
  const own = dashes === -1 ? 0 : line.length - dashes - 1;
  const extra = words.slice(0, words.length - own);
  if (extra.length === 0) return words;
  throw new UsageError(unexpected(extra), `${meantBy(extra)}; see: fw dev --help`);
}

function meantBy(extra: readonly string[]): string {
  const [first = ''] = extra;
  const isOnly = extra.length === 1;
  if (isOnly && /^\d{1,5}$/.test(first)) return `did you mean: fw dev --port ${first}`;
  const after = `arguments of the app come after --, such as: fw dev -- ${extra.join(' ')}`;
  if (!isOnly || !/\.[cm]?[jt]sx?$/.test(first)) return after;
  return `name the file that starts the app in fw.toml, by entry = '${first}' under [dev]; ${after}`;
}
