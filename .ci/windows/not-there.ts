// What the unit tests under Wine leave out, and why.

/** The files that are run: where the system matters. The other folders of `framework/` compute, or talk HTTP. */
export const included: readonly string[] = [
  'cli/**/*.test.ts',
  'framework/{files,runtime,sql,static,websocket}/**/*.test.ts',
];

const isSlow =
  'minutes of processes that start in half a second each; the journey in e2e/systems.test.ts has it';
const computes = 'texts and values are the same on every system';
const asksServers = 'databases on other machines are the same from every system';

/** Files that are left out, each with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  '**/node_modules/**': 'not of this repository',
  'cli/generate/**':
    'the API of TypeScript 7 does not answer in Wine 8; the journey generates with TypeScript 6',
  'cli/dev/workbench/page/**': 'code of a page, which browsers run',
  'cli/manual/{contents,parse-page,search,terminal-page}.test.ts':
    'they compute, on pages that find-page.test.ts reads there too',
  'cli/dev/{dev-session,frontend,supervisor*,run-time-files,inherited,worker-ports}.test.ts': isSlow,
  'cli/dev/worker/source-program.test.ts': isSlow,
  'cli/dev/types/type-check.test.ts': 'TypeScript 7 finds its program for this system alone',
  'framework/sql/{transactions,lost-server,aborted-requests,queries,deployed-servers}.test.ts': asksServers,
  'framework/sql/{migrations,migrations/{journeys,killed},kysely/table-differences,stores/*}.test.ts':
    asksServers,
  'framework/sql/{database-errors,database-url,migration-lock,pools,query-watch,run-transaction}.test.ts':
    computes,
  'framework/sql/migrations/checksum.test.ts': computes,
  'framework/runtime/{address,fetch*,matched-path,server-events,serving-here,web-*}.test.ts': computes,
  'framework/runtime/{deno,lambda}/**': 'other systems have no part in those runtimes',
  'framework/runtime/node/{body*,fast-response,http2,idle*,incoming*,left*,limits,send,unread*}.test.ts':
    'HTTP is the same on every system; listening, ports and the end of a server are tried there',
  'framework/static/{accepts-html,http-date,options,preconditions,range}.test.ts': computes,
  'cli/fuzz/**': computes,
  'framework/websocket/channels/redis.test.ts': 'starts redis-server, a program of this system',
  'framework/websocket/beside-vite.test.ts': 'Vite in a thread that ends takes all of Node.js down there',
  'framework/websocket/{waiting,hostile-peers}.test.ts':
    'they fill the buffers of sockets, which have another size in Wine',
  'framework/websocket/{authorization,close,failing,handshake,heartbeat,left,native,pipelined,refused,served,session,tickets}*.test.ts':
    'frames and rights are the same on every system; websocket.test.ts opens, closes and fills sockets there',
  'framework/websocket/channels/**': 'topics in memory are the same on every system',
  'cli/dev/worker/recording/**':
    'records in memory are the same on every system; e2e/systems.test.ts runs fw dev there',
  'cli/dev/workbench/{access,e*,f*,k*,m*,r*,shown-{messages,request},traffic-log,workbench-cycle}.test.ts':
    'records and HTTP are the same on every system; the tests of paths, programs and files run there',
};

export interface Listed {
  readonly file: string;
  /** Of the full names of the tests; all of the file by default. */
  readonly tests?: RegExp;
  readonly reason: string;
  /** They would only wait until their time has passed: they are not run. */
  readonly isWaiting?: true;
  /** They pass at times. */
  readonly isSometimes?: true;
}

const links = 'Wine 8 makes no links';
const unclear = 'on a busy machine, a worker that fails at once is not always heard; not understood';
const posix = 'asks /proc, sh or another program that Windows does not have';
const openFile =
  'libsql keeps its file open until its statements are collected, so that it cannot be removed';
const buffers = 'the buffers of sockets have another size in Wine';

export const notThere: readonly Listed[] = [
  {
    file: 'cli/bundle/own-name.test.ts',
    tests: /bundled from them (?:if|with)|loaded from them|import itself/,
    reason: links,
  },
  {
    file: 'cli/doctor/doctor.test.ts',
    tests: /an app that does not start/,
    reason: unclear,
    isSometimes: true,
  },
  {
    file: 'cli/process/app-error.test.ts',
    tests: /^a failed (?:start|import)/,
    reason: unclear,
    isSometimes: true,
  },
  { file: 'cli/process/worker-process.test.ts', tests: /unforeseen/, reason: unclear, isSometimes: true },
  { file: 'cli/bundle/bundler.test.ts', tests: /linked workspace packages/, reason: links },
  { file: 'cli/process/app-error.test.ts', tests: /what a linked package needs/, reason: links },
  { file: 'cli/config/load.test.ts', tests: /that are links/, reason: links },
  {
    file: 'cli/dev/workbench/app-facts.test.ts',
    tests: /since the last commit|that a variable names/,
    reason: 'there is no Git, and the editor of the test is a script of sh',
  },
  { file: 'cli/doctor/check-fw.test.ts', tests: /a link to a clone/, reason: links },
  {
    file: 'cli/doctor/doctor.test.ts',
    tests: /names the process that uses a port/,
    reason: 'there is no netstat -o',
  },
  {
    file: 'cli/doctor/doctor.test.ts',
    tests: /the client that it has looked at|the contract of an app without a client/,
    reason: 'the API of TypeScript 7 does not answer in Wine 8',
  },
  { file: 'cli/files/file-stamps.test.ts', reason: links, isWaiting: true },
  {
    file: 'cli/manager/package-manager.test.ts',
    tests: /nor in the home directory/,
    reason: 'a thread has variables of its own, and the home directory is that of the process',
  },
  { file: 'cli/new/target.test.ts', tests: /symbolic link|and a link|treats a link/, reason: links },
  { file: 'cli/process/port-owner.test.ts', tests: /names the process/, reason: 'there is no netstat -o' },
  {
    file: 'cli/process/run-program.test.ts',
    tests: /says how a program ended/,
    reason: 'cmd of Wine gives another exit code for a missing program',
  },
  {
    file: 'cli/mcp-command/serve-mcp.test.ts',
    tests: /passes messages on with the token/,
    reason: 'fetch sets an option of TCP that Wine does not have, here in a process of its own',
  },
  {
    file: 'cli/vendor/own-package.test.ts',
    tests: /that npm publishes/,
    reason: 'npm pack does not end in Wine',
    isWaiting: true,
  },
  { file: 'cli/watch/watch.test.ts', tests: /what links lead to/, reason: links, isWaiting: true },
  {
    file: 'cli/watch/watch.test.ts',
    tests: /of the same size and time/,
    reason: 'a file that replaces another of its size and time is not reported there',
    isWaiting: true,
  },
  {
    file: 'cli/watch/watch.test.ts',
    tests: /folders were removed and created again|ends the search for such a source/,
    reason: 'a folder that is watched cannot be removed there',
  },
  {
    file: 'framework/files/absolute-path.test.ts',
    tests: /to all names|links to packages|asks the disk again/,
    reason: links,
  },
  {
    file: 'framework/runtime/node/drain.test.ts',
    tests: /has emitted close/,
    reason: 'Wine ends the read of a closed socket some turns of the event loop later',
    isSometimes: true,
  },
  {
    file: 'framework/runtime/node/listen.test.ts',
    tests: /behind a proxy that is trusted|of a process that was killed/,
    reason: 'a socket in a folder is a pipe with a name of its own there',
  },
  { file: 'framework/sql/migrations/command.test.ts', reason: openFile, isSometimes: true },
  { file: 'framework/static/file-server.test.ts', tests: /a link/, reason: links, isWaiting: true },
  { file: 'framework/static/directory.test.ts', tests: /reads of (?:a|in)\.txt: inside/, reason: links },
  {
    file: 'framework/static/exact-name.test.ts',
    tests: /current\/page\.txt|releases\/shown\.txt/,
    reason: links,
  },
  { file: 'framework/static/swapped-folder.test.ts', reason: links, isWaiting: true },
  {
    file: 'framework/static/file-server.test.ts',
    tests: /keeps replacing it|without waiting for its content|if it replaced/,
    reason: posix,
    isWaiting: true,
  },
  {
    file: 'framework/static/large-files.test.ts',
    tests: /replaced meanwhile|when the client leaves|no descriptor stays open|outside of the directory/,
    reason: posix,
    isWaiting: true,
  },
  {
    file: 'framework/static/registration.test.ts',
    tests: /too long|link\.html|no descriptor/,
    reason: posix,
  },
  { file: 'framework/websocket/websocket.test.ts', tests: /are bounded: reading is paused/, reason: buffers },
];

/** Why a test cannot pass there, or undefined. */
export function listedFor(file: string, fullName: string): Listed | undefined {
  return notThere.find((one) => file.endsWith(one.file) && (one.tests?.test(fullName) ?? true));
}
