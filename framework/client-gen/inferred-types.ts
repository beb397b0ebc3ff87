// Inference: its result.
import type { RouteTypes, SocketTypes } from '../rpc/contract/route-types.js';
import type { ProcedureNotes, WireTypes } from '../wire/wire-type.js';
import type { Finding, Place } from './compiler/compiler.js';

/** The inferred types of a project. */
export interface InferredTypes extends WireTypes {
  /** The places where each procedure is registered; several if several registries have a procedure of that name. */
  readonly places: Readonly<Record<string, readonly Place[]>>;
  /** What the comments of procedures say, by the names of the procedures; also of those with schemas. */
  readonly notes: Readonly<Record<string, ProcedureNotes>>;
  /** What is known about the routes of Apps, by method and path. */
  readonly routes: Readonly<Record<string, RouteTypes>>;
  /** What is known about the sockets of Apps, by path. */
  readonly sockets: Readonly<Record<string, SocketTypes>>;
  /** Warnings, for example about `any`, which is not validated. */
  readonly warnings: readonly Finding[];
}

/** Types that cannot be sent as JSON, or code that does not compile. Nothing was inferred. */
export class InferenceError extends Error {
  override readonly name: string = 'InferenceError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(
      findings
        .map(({ place, message }) => `${place.file}:${place.line}:${place.column}: ${message}`)
        .join('\n'),
    );
    this.findings = findings;
  }
}
