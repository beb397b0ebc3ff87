// The contract of procedures that have no schema: inferred with the app's own TypeScript, kept as a file.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Compiler } from '../../framework/client-gen/compiler.js';
import type { InferredTypes } from '../../framework/client-gen/infer-types.js';
import { sortedType } from '../../framework/rpc/types/canonical.js';
import { ImportGraph } from './import-graph.js';

export interface Inferred {
  /** The text of the contract file; undefined where the app has no procedure that needs one. */
  readonly text: string | undefined;
  readonly types: InferredTypes;
}

/** Keeps the compiler between runs, which makes the next one several times faster. */
export class ContractSource {
  readonly #root: string;
  readonly #graph: ImportGraph;
  #compiler: Compiler<never> | undefined;
  #last: Inferred | undefined;
  /** Changes that the compiler has not heard of, because no procedure depends on them. */
  #unheard: string[] = [];

  constructor(root: string) {
    this.#root = root;
    this.#graph = new ImportGraph(root);
  }

  /** False where the app has no TypeScript: then every procedure must have a schema or a type string. */
  canInfer(): boolean {
    if (!existsSync(join(this.#root, 'tsconfig.json'))) return false;
    try {
      createRequire(join(this.#root, 'package.json')).resolve('typescript/package.json');
      return true;
    } catch {
      return false;
    }
  }

  /** False where these files leave what was inferred last as it is. */
  isReachedBy(changed: readonly string[]): boolean {
    return this.canInfer() && (this.#last === undefined || this.#graph.isReachedBy(changed));
  }

  /** @throws InferenceError; Error where the TypeScript is none that was tried. */
  async infer(changed: readonly string[]): Promise<Inferred> {
    if (this.#last !== undefined && !this.isReachedBy(changed)) {
      this.#unheard.push(...changed);
      return this.#last;
    }
    const [{ loadCompiler }, { inferTypes }] = await Promise.all([
      import('../../framework/client-gen/load-compiler.js'),
      import('../../framework/client-gen/infer-types.js'),
    ]);
    const heard = [...this.#unheard, ...changed];
    this.#unheard = [];
    this.#last = undefined;
    if (this.#compiler === undefined) this.#compiler = await loadCompiler(this.#root);
    else if (heard.length > 0) this.#compiler.update(heard);
    const types = inferTypes(this.#compiler);
    this.#graph.learn(this.#compiler.sources, heard);
    this.#last = { types, text: contractText(types) };
    return this.#last;
  }

  close(): void {
    this.#compiler?.close();
    this.#compiler = undefined;
  }
}

/** Sorted, with line breaks, so that a difference shows what changed, and compilers agree on the text. */
export function contractText({
  procedures,
  named,
}: Pick<InferredTypes, 'procedures' | 'named'>): string | undefined {
  if (Object.keys(procedures).length === 0) return undefined;
  const contract = {
    version: 1,
    procedures: sortedValues(procedures, ({ input, output, ...rest }) => ({
      ...rest,
      input: sortedType(input),
      output: sortedType(output),
    })),
    named: sortedValues(named, sortedType),
  };
  return `${JSON.stringify(contract, null, 2)}\n`;
}

function sortedValues<A, B>(values: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  const sorted: Record<string, B> = Object.create(null);
  for (const name of Object.keys(values).sort()) sorted[name] = change(values[name] as A);
  return sorted;
}
