// Inference: the process of TypeScript 7, and the program that it has open.

import { existsSync } from 'node:fs';
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Program, Project } from 'typescript/unstable/sync';
import type { AbsolutePath } from '../../files/absolute-path.js';
import { NamedPaths } from '../../files/named-paths.js';
import { withMoreMemory } from './go-memory.js';
import { killProcess } from './panic.js';
import { Ts7Pipeline } from './pipeline.js';

/** Of the memory of a compiler that is used once, in percent: it makes little garbage. */
const GROWTH = 800;

export class Ts7Program {
  readonly pipeline: Ts7Pipeline;
  readonly #api: Api.API;
  readonly #config: AbsolutePath;
  readonly #paths = new NamedPaths();
  /** The files that the compiler was told of, or has found. */
  readonly #known: Set<AbsolutePath>;
  #snapshot: Api.Snapshot | undefined;
  #project: Project | undefined;

  /**
   * Starts the process, which reads the program while this one goes on.
   *
   * @param once whether types are inferred once, and the program is not updated
   */
  constructor({ API }: typeof Api, config: AbsolutePath, once: boolean) {
    this.#config = config;
    this.#known = new Set([config]);
    this.#api = once ? withMoreMemory(GROWTH, () => new API({})) : new API({});
    this.pipeline = new Ts7Pipeline(this.#api);
    this.pipeline.begin([
      { method: 'initialize', payload: 'null' },
      { method: 'updateSnapshot', payload: JSON.stringify({ openProjects: [config] }) },
    ]);
  }

  /** Waits until the program is read. @throws Error if the compiler cannot open it */
  get project(): Project {
    this.#project ??= this.#opened().getProject(this.#config);
    if (this.#project === undefined) throw new Error(`TypeScript could not open ${this.#config}`);
    return this.#project;
  }

  get program(): Program {
    return this.project.program;
  }

  get checker(): Checker {
    return this.project.checker;
  }

  /** The paths of all files. */
  files(): readonly AbsolutePath[] {
    const files = new Set(this.pathsOf(this.program.getSourceFileNames()));
    for (const file of files) this.#known.add(file);
    return [...files];
  }

  pathsOf(names: readonly string[]): readonly AbsolutePath[] {
    return names.map((name) => this.#paths.of(name));
  }

  /** The name of a file in the program. */
  nameOf(file: AbsolutePath): string {
    return this.#paths.nameOf(file);
  }

  /** Reads files that changed on disk. */
  update(changed: readonly AbsolutePath[]): void {
    const named = (files: readonly AbsolutePath[]) => files.flatMap((file) => this.#paths.namesOf(file));
    const steps = fileChanges(changed, this.#known);
    for (const { changed, created, deleted } of steps) {
      const before = this.#opened();
      const fileChanges = { changed: named(changed), created: named(created), deleted: named(deleted) };
      this.#snapshot = this.#api.updateSnapshot({ fileChanges });
      before.dispose();
    }
    if (steps.some(({ created, deleted }) => created.length + deleted.length > 0)) this.#paths.forget();
    this.#project = undefined;
    this.pipeline.forget();
  }

  close(): void {
    this.#snapshot?.dispose();
    killProcess(this.#api);
    this.#api.close();
  }

  #opened(): Api.Snapshot {
    this.#snapshot ??= this.#api.updateSnapshot({ openProjects: [this.#config] });
    return this.#snapshot;
  }
}

interface FileChanges {
  readonly changed: AbsolutePath[];
  readonly created: AbsolutePath[];
  readonly deleted: AbsolutePath[];
}

/** The maximum number of steps, because a change of an import takes long in each of them. */
const MOST_STEPS = 8;

/**
 * The steps in which TypeScript is told of changes. A program is only reused if a single file has changed.
 *
 * @param known the files that TypeScript knows so far; those that are there are added, others removed
 */
export function fileChanges(
  files: readonly AbsolutePath[],
  known: Set<AbsolutePath>,
): readonly FileChanges[] {
  const there = files.filter((file) => existsSync(file));
  const changed = there.filter((file) => known.has(file));
  const created = there.filter((file) => !known.has(file));
  const deleted = files.filter((file) => !existsSync(file));
  for (const file of created) known.add(file);
  for (const file of deleted) known.delete(file);
  const isStepwise = created.length + deleted.length === 0 && changed.length <= MOST_STEPS;
  return isStepwise
    ? changed.map((file) => ({ changed: [file], created, deleted }))
    : [{ changed, created, deleted }];
}
