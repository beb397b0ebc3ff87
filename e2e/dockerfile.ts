// The steps of a Dockerfile, run without Docker: each stage in a directory of its own, and what the image starts with.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { npm } from './packed.js';

export interface Image {
  /** Its working directory. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

interface Stage {
  readonly directory: string;
  readonly env: Record<string, string>;
  user?: string;
  command: readonly string[];
  healthCheck: readonly string[];
}

/** @param scratch a directory for the stages */
export function buildImage(context: string, scratch: string): Image {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, rest] of instructions(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (instruction === 'FROM') {
      const [image = '', , name = 'final'] = rest.split(' ');
      if (!/^node:\d+-slim$/.test(image)) throw new Error(`${image} is not a small image of Node.js`);
      stage = { directory: join(scratch, name), env: {}, command: [], healthCheck: [] };
      mkdirSync(stage.directory, { recursive: true });
      stages.set(name, stage);
    } else if (stage === undefined) {
      throw new Error(`${instruction} comes before FROM`);
    } else {
      step(instruction, rest, stage, stages, context);
    }
  }
  if (stage === undefined) throw new Error('the Dockerfile is empty');
  return { user: undefined, ...stage };
}

function step(
  instruction: string,
  rest: string,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  context: string,
): void {
  if (instruction === 'RUN') {
    const [program = '', ...args] = rest.split(' ');
    if (program !== 'npm' && program !== 'npx') throw new Error(`RUN ${rest}: only npm is known`);
    npm(program === 'npx' ? ['exec', args[0] ?? '', '--', ...args.slice(1)] : args, stage.directory);
  } else if (instruction === 'COPY') {
    copy(rest.split(' '), stage, stages, context);
  } else if (instruction === 'ENV') {
    Object.assign(stage.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
  } else if (instruction === 'USER') {
    stage.user = rest;
  } else if (instruction === 'CMD') {
    stage.command = JSON.parse(rest);
  } else if (instruction === 'HEALTHCHECK') {
    stage.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4));
  } else if (instruction !== 'WORKDIR' && instruction !== 'EXPOSE') {
    throw new Error(`the instruction ${instruction} is not known`);
  }
}

function copy(words: string[], stage: Stage, stages: ReadonlyMap<string, Stage>, context: string): void {
  const [from] = words.filter((word) => word.startsWith('--from='));
  const paths = words.filter((word) => word !== from);
  const target = join(stage.directory, paths.pop() ?? '');
  for (const path of paths) {
    if (from !== undefined) {
      const source = stages.get(from.slice('--from='.length));
      if (source === undefined) throw new Error(`COPY ${from}: there is no such stage`);
      cpSync(join(source.directory, relative('/app', path)), target, { recursive: true });
      continue;
    }
    const ignored = ignoredBy(context);
    const isDirectory = path === '.' || existsSync(target);
    cpSync(join(context, path), isDirectory && path !== '.' ? join(target, basename(path)) : target, {
      recursive: true,
      filter: (source) => !ignored(relative(context, source)),
    });
  }
}

/** `.dockerignore` with names and `*.ext` at the top. */
function ignoredBy(context: string): (path: string) => boolean {
  const patterns = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const expressions = patterns.map(
    (pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`),
  );
  return (path) => expressions.some((expression) => expression.test(path));
}

function instructions(text: string): [instruction: string, rest: string][] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}
