// The page about an API: a procedure of a registry in detail.
import { urlPattern } from '../../../router/url-pattern.js';
import type { ApiRegistry } from '../../../rpc/api-description.js';
import { allowsVoid, withoutVoid } from '../../../wire/union-of.js';
import type { ErrorTypes, WireType } from '../../../wire/wire-type.js';
import type { Answer, Body, Detail } from './detail.js';
import { accessOf } from './route-access.js';
import { lookupOf } from './type-space.js';

export function procedureDetail(registry: ApiRegistry, name: string): Detail | undefined {
  const { types, mode, path, access } = registry;
  const procedure = types.procedures[name];
  if (procedure === undefined) return undefined;
  const { kind, input, output, description, deprecated = false, errors = {} } = procedure;
  const lookup = lookupOf(types.named);
  const isStream = kind === 'subscription';
  return {
    description,
    deprecated,
    access: accessOf(access[name] ?? { isRequired: false, scopes: [], schemes: [] }),
    parameters: [],
    bodies: input.kind === 'void' ? [] : [bodyOf(withoutVoid(input))],
    isBodyRequired: !allowsVoid(input),
    answers: [
      {
        label: isStream ? 'Each event' : 'Result',
        note: undefined,
        description: undefined,
        headers: [],
        bodies: output.kind === 'void' ? [] : [bodyOf(output)],
      },
      ...Object.entries(errors).map(([error, one]) => errorAnswer(error, one, mode === 'jsonrpc')),
    ],
    inputs: lookup,
    outputs: lookup,
    target: { kind: 'rpc', mode, path: path === null ? null : urlPattern(path), name, procedure: kind },
    problems: [],
  };
}

function bodyOf(type: WireType): Body {
  return { mediaType: 'application/json', type, examples: [] };
}

function errorAnswer(
  name: string,
  { data, code, status, message, description }: ErrorTypes,
  isJsonRpc: boolean,
): Answer {
  const number = isJsonRpc ? code : status;
  return {
    label: name,
    note: number === undefined ? undefined : `${isJsonRpc ? 'code' : 'status'} ${number}`,
    description: description ?? message,
    headers: [],
    bodies: data.kind === 'void' ? [] : [bodyOf(data)],
  };
}
