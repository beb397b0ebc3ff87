// Dockerfiles of the documentation: each instruction is known, and what is copied and run exists.
import { Script } from 'node:vm';
import { builtFilesOf, isBuilt, isInApp, liveness, port } from './app-facts.js';
import type { Page, Snippet } from './snippets.js';

/** The faults of a Dockerfile, one a line. */
export function dockerfileFaults({ text, page }: Snippet): string[] {
  const faults: string[] = [];
  const stages: Stages = { built: new Set(), named: new Map() };
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (!lines[0]?.startsWith('FROM ')) faults.push('it does not begin with FROM');
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    const check = instructions[instruction];
    if (check === undefined) faults.push(`the instruction ${instruction} is not known: ${line}`);
    else faults.push(...check(rest, page, stages).map((fault) => `${line}: ${fault}`));
  }
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  if (!last.some((line) => line.startsWith('CMD '))) faults.push('the image does not say what it starts');
  if (!last.some((line) => /^USER \w/.test(line) && line !== 'USER root'))
    faults.push('the app runs as root');
  return faults;
}

/** What the commands of stages make: those of the one that is read, and those before it by their names. */
interface Stages {
  built: Set<string>;
  readonly named: Map<string, ReadonlySet<string>>;
}

type Check = (rest: string, page: Page, stages: Stages) => string[];

const commands: Readonly<Record<string, string>> = {
  'npm ci': '/app/node_modules',
  'npm ci --omit=dev': '/app/node_modules',
  'npm run build': '/app/dist',
  'bun install --production': '/app/node_modules',
};

const instructions: Readonly<Record<string, Check>> = {
  FROM(rest, _page, stages) {
    const parts = /^[\w./-]+:[\w.-]+(?: AS ([a-z]+))?$/.exec(rest);
    if (parts === null) return ['there is no image with a version'];
    stages.built = new Set();
    if (parts[1] !== undefined) stages.named.set(parts[1], stages.built);
    return [];
  },
  COPY(rest, page, stages) {
    const words = rest.split(' ');
    const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
    const sources = words.slice(0, -1);
    if (from === undefined)
      return sources.filter((path) => !isInApp(path, page)).map((path) => `no app has ${path}`);
    const built = stages.named.get(from);
    if (built === undefined) return [`there is no stage ${from} before`];
    return sources.filter((path) => !built.has(path)).map((path) => `that stage does not build ${path}`);
  },
  RUN(rest, _page, { built }) {
    const path = commands[rest];
    if (path === undefined) return ['the command is not known'];
    built.add(path);
    return [];
  },
  WORKDIR: (rest) => (rest === '/app' ? [] : ['the app is in /app']),
  ENV: (rest) =>
    /^(?:[A-Z_]+=\S+ ?)+$/.test(rest) ? portFaults(/\bPORT=(\d+)/.exec(rest)?.[1]) : ['not NAME=value'],
  EXPOSE: portFaults,
  USER: (rest) => (/^[a-z]+$/.test(rest) ? [] : ['it is not a user']),
  HEALTHCHECK(rest) {
    const command = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) as string[];
    const program = command.at(-1) ?? '';
    // Compiled and not run.
    new Script(program);
    return program.includes(`:${port}${liveness}'`)
      ? []
      : [`it does not ask ${liveness} at the port ${port}`];
  },
  CMD(rest, page) {
    const command = JSON.parse(rest) as string[];
    const built = builtFilesOf(command.join(' ')).filter((file) => !isBuilt(file, page));
    const sources = command.filter((word) => word.startsWith('src/') && !isInApp(word, page));
    return [...built, ...sources].map((file) => `there is no ${file}`);
  },
};

function portFaults(given: string | undefined): string[] {
  return given === undefined || given === String(port) ? [] : [`the port of the templates is ${port}`];
}
