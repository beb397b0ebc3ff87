// Inference: what a call registers if its syntax is not enough: names that are constants, options in variables.
import type { Gathered, Place, Shape } from './compiler.js';
import type { RegistrationCall, SyntaxNode } from './find-registrations.js';

/** The queries to a compiler. */
interface Asked<Type> {
  typeAt(node: SyntaxNode): Type | undefined;
  shape(type: Type): Shape<Type>;
}

interface Registered {
  /** Several if the type of the name is a union of literals, as in a loop. */
  readonly names: readonly string[];
  readonly hasSchema: RegistrationCall['hasSchema'];
}

/** Undefined if there is nothing to infer; adds findings about the registration. */
export function registered<Type>(
  call: RegistrationCall,
  asked: Asked<Type>,
  place: Place,
  { places, findings }: Pick<Gathered<Type>, 'places' | 'findings'>,
): Registered | undefined {
  const names = call.name === undefined ? literals(call.nameNode, asked) : [call.name];
  for (const name of names) places.push([name, place]);
  if (call.hasTexts) return undefined;
  if (names.length === 0) {
    findings.push({
      place,
      message: 'the types of a procedure whose name is not a literal cannot be inferred',
    });
    return undefined;
  }
  return { names, hasSchema: call.options === undefined ? call.hasSchema : schemas(call.options, asked) };
}

function literals<Type>(node: SyntaxNode, { typeAt, shape }: Asked<Type>): string[] {
  const type = typeAt(node);
  if (type === undefined) return [];
  const whole = shape(type);
  const members = whole.kind === 'union' ? whole.members.map(shape) : [whole];
  const names = members.flatMap((one) =>
    one.kind === 'literal' && typeof one.value === 'string' ? [one.value] : [],
  );
  return names.length === members.length ? names : [];
}

/** Options of an unknown type are assumed to have both schemas: the registry knows them at run time. */
function schemas<Type>(node: SyntaxNode, { typeAt, shape }: Asked<Type>): RegistrationCall['hasSchema'] {
  const type = typeAt(node);
  const options = type && shape(type);
  if (options?.kind !== 'object' || options.values.length > 0) return { input: true, output: true };
  const names = options.properties().map(({ name }) => name);
  return { input: names.includes('input'), output: names.includes('output') };
}

/** The message for a handler with overloads, whose types depend on the input. */
export function overloaded(name: string, signatures: number): string {
  return (
    `the handler of '${name}' has ${signatures} signatures, and its types are not inferred; ` +
    'give a function with one: (input: …) => handler(input)'
  );
}

export function unreadable(name: string): string {
  return `the handler of '${name}' is not a function whose type can be read`;
}
