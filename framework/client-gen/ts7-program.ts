// Inference: the process of TypeScript 7, and the program that it has open.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Program, Project } from 'typescript/unstable/sync';
import { withMoreMemory } from './go-memory.js';
import { fileChanges } from './ts7-changes.js';
import { killProcess } from './ts7-panic.js';
import { Ts7Pipeline } from './ts7-pipeline.js';

/** Of the memory of a compiler that is used once, in percent: it makes little garbage. */
const GROWTH = 800;

export class Ts7Program {
  readonly pipeline: Ts7Pipeline;
  readonly #api: Api.API;
  readonly #config: string;
  /** The files that the compiler was told of, or has found. */
  readonly #known: Set<string>;
  #snapshot: Api.Snapshot | undefined;
  #project: Project | undefined;

  /**
   * Starts the process, which reads the program while this one goes on.
   *
   * @param once whether types are inferred once, and the program is not updated
   */
  constructor({ API }: typeof Api, config: string, once: boolean) {
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
  files(): readonly string[] {
    const names = this.program.getSourceFileNames();
    for (const name of names) this.#known.add(name);
    return names;
  }

  /** Reads files that changed on disk. */
  update(changed: readonly string[]): void {
    for (const step of fileChanges(changed, this.#known)) {
      const before = this.#opened();
      this.#snapshot = this.#api.updateSnapshot({ fileChanges: step });
      before.dispose();
    }
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
