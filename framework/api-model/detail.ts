// A model of an API: what is shown of one operation. It is read when the operation is opened.
import type { ProcedureKind, WireField, WireType } from '../wire/wire-type.js';
import type { Lookup } from './type-space.js';

export interface Detail {
  readonly description: string | undefined;
  /** True, or what to use instead. */
  readonly deprecated: boolean | string;
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  /** The alternatives of the body; of a procedure or an event, its input. */
  readonly bodies: readonly Body[];
  readonly isBodyRequired: boolean;
  readonly answers: readonly Answer[];
  /** The named types of what is sent. */
  readonly inputs: Lookup;
  readonly outputs: Lookup;
  readonly target: Target;
  /** What could not be read of the document. */
  readonly problems: readonly string[];
}

export interface Access {
  readonly isRequired: boolean;
  /** Of several groups of schemes, one; all schemes of the group. */
  readonly schemes: readonly (readonly string[])[];
  /** Such as `write` or `read or write`: all of them. */
  readonly scopes: readonly string[];
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  readonly in: ParameterPlace;
  readonly name: string;
  readonly type: WireType;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** Set if the value is written as JSON. */
  readonly isJson: boolean;
}

export interface Body {
  readonly mediaType: string;
  readonly type: WireType;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly name: string;
  readonly value: unknown;
}

export interface Answer {
  /** Such as `200`, `default`, or the name of a declared error. */
  readonly label: string;
  readonly note: string | undefined;
  readonly description: string | undefined;
  readonly headers: readonly WireField[];
  readonly bodies: readonly Body[];
}

/** How an operation is called. */
type Target =
  | {
      readonly kind: 'http';
      readonly method: string;
      /** An absolute URL without a slash at its end, or why it cannot be called from here. */
      readonly base: string;
      readonly path: string;
      readonly clientName: string | undefined;
    }
  | {
      readonly kind: 'rpc';
      readonly mode: 'jsonrpc' | 'rest';
      /** Null if the registry is mounted nowhere. */
      readonly path: string | null;
      readonly name: string;
      readonly procedure: ProcedureKind;
    }
  | {
      readonly kind: 'socket';
      readonly path: string;
      readonly clientName: string | undefined;
      readonly protocols: readonly string[];
      readonly sends: readonly WireField[];
      /** The type of the data of all other events that may be sent. */
      readonly otherEvents: WireType | undefined;
      readonly receives: readonly WireField[];
      readonly hasRpc: boolean;
    };
