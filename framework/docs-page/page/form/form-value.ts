// The page about an API: what fields of a form get.
import type { JSX } from 'preact';
import type { Lookup } from '../../../api-model/type-space.js';
import type { ValuePath } from '../../../api-model/value-path.js';
import type { WireType } from '../../../wire/wire-type.js';

/** What a form needs of the value that it fills in. */
export interface FormValue {
  readonly lookup: Lookup;
  /** The field of any type, for parts of a value: fields that have parts do not import it, because it imports them. */
  readonly Field: (props: FieldProps) => JSX.Element;
  valueAt(path: ValuePath): unknown;
  /** With undefined, it is left out. */
  change(path: ValuePath, value: unknown): void;
  /** What is wrong there, if it is time to say so. */
  issueAt(path: ValuePath): string | undefined;
  touch(path: ValuePath): void;
  choiceAt(path: ValuePath): number | undefined;
  choose(path: ValuePath, index: number): void;
}

export interface FieldProps {
  readonly form: FormValue;
  readonly path: ValuePath;
  readonly type: WireType;
  /** Its name on the screen; the name for screen readers tells where it is. */
  readonly label: string;
  readonly isOptional: boolean;
}
