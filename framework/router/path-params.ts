// Types only: the parameter names of a route pattern.

type NameOf<Segment extends string> = Segment extends `:${infer Name}`
  ? Name
  : Segment extends `*${infer Name}`
    ? Name
    : never;

type NamesOf<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> | NamesOf<Rest>
  : NameOf<Path>;

/** Names of the `:name` and `*name` segments of a literal pattern; any string if the pattern is not known. */
export type ParamName<Path extends string> = string extends Path ? string : NamesOf<Path>;

/** The type of the decoded parameters by name. */
export type Params<Names extends string> = { [Name in Names]: string };
