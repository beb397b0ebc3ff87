// A model of an API: an operation of the OpenAPI document in detail.
import type { ApiDescription } from '../rpc/api-description.js';
import type { WireField } from '../wire/wire-type.js';
import type { Answer, Body, Detail, Example, Parameter, ParameterPlace } from './detail.js';
import { resolved } from './references.js';
import { accessOfOperation } from './route-access.js';
import { SchemaTypes } from './schema-types.js';
import { baseOf } from './servers.js';
import { type Fields, fieldsOf, isFields, listOf, textOf } from './unknown-value.js';

const PLACES: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie'];
/** Header fields that are described elsewhere (OpenAPI 3.0, section 4.7.12). */
const IGNORED = new Set(['accept', 'content-type', 'authorization']);

export class RouteDetails {
  readonly #api: ApiDescription;
  readonly #url: string;
  readonly #inputs: SchemaTypes;
  readonly #outputs: SchemaTypes;

  /** @param url of the document */
  constructor(api: ApiDescription, url: string) {
    this.#api = api;
    this.#url = url;
    this.#inputs = new SchemaTypes(api.document, 'input');
    this.#outputs = new SchemaTypes(api.document, 'output');
  }

  detail(path: string, method: string, item: Fields): Detail {
    const { document } = this.#api;
    const operation = fieldsOf(item[method]);
    const problems: string[] = [];
    const body = this.#follow(operation.requestBody, problems);
    const lists = [operation.servers, item.servers, fieldsOf(document).servers];
    const told = [textOf(operation.summary), textOf(operation.description)].filter(
      (one) => one !== undefined,
    );
    return {
      description: told.length === 0 ? textOf(item.description) : told.join('\n\n'),
      deprecated: operation.deprecated === true,
      access: accessOfOperation(this.#api, method, path, operation),
      parameters: this.#parameters(path, [item.parameters, operation.parameters], problems),
      bodies: bodiesOf(fieldsOf(body).content, this.#inputs, document),
      isBodyRequired: fieldsOf(body).required === true,
      answers: this.#answers(operation.responses, problems),
      inputs: this.#inputs.lookup,
      outputs: this.#outputs.lookup,
      target: {
        kind: 'http',
        method: method.toUpperCase(),
        base: baseOf(lists, this.#url),
        path,
        clientName: this.#api.hasClient ? textOf(operation.operationId) : undefined,
      },
      problems,
    };
  }

  #follow(value: unknown, problems: string[]): unknown {
    const found = resolved(this.#api.document, value);
    if (found.problem !== undefined) problems.push(found.problem);
    return found.value;
  }

  /** Those of the operation replace those of the path; a parameter of the path that is not described is a text. */
  #parameters(path: string, lists: readonly unknown[], problems: string[]): Parameter[] {
    const found = new Map<string, Parameter>();
    for (const given of lists.flatMap(listOf)) {
      const one = fieldsOf(this.#follow(given, problems));
      const name = textOf(one.name);
      const place = PLACES.find((known) => known === one.in);
      if (name === undefined || place === undefined) continue;
      if (place === 'header' && IGNORED.has(name.toLowerCase())) continue;
      found.set(`${place} ${name}`, this.#parameter(one, name, place));
    }
    for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
      if (!found.has(`path ${name}`))
        found.set(`path ${name}`, this.#parameter({ required: true }, name, 'path'));
    }
    const all = [...found.values()].filter(
      ({ in: place, name }) => place !== 'path' || path.includes(`{${name}}`),
    );
    return all.sort((a, b) => PLACES.indexOf(a.in) - PLACES.indexOf(b.in));
  }

  #parameter(one: Fields, name: string, place: ParameterPlace): Parameter {
    const content = Object.entries(fieldsOf(one.content))[0];
    const style = textOf(one.style) ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
    const schema = content === undefined ? (one.schema ?? { type: 'string' }) : fieldsOf(content[1]).schema;
    const type = this.#inputs.read(schema);
    const [example] = examplesOf(one, this.#api.document);
    return {
      in: place,
      name,
      type:
        example === undefined
          ? type
          : { ...type, notes: { ...type.notes, examples: [example.value as never] } },
      isRequired: place === 'path' || one.required === true,
      description: textOf(one.description),
      isDeprecated: one.deprecated === true,
      style,
      explode: typeof one.explode === 'boolean' ? one.explode : style === 'form',
      isJson: content !== undefined,
    };
  }

  #answers(value: unknown, problems: string[]): Answer[] {
    const { document } = this.#api;
    return Object.entries(fieldsOf(value)).map(([status, given]): Answer => {
      const one = fieldsOf(this.#follow(given, problems));
      const headers = Object.entries(fieldsOf(one.headers)).map(([name, header]): WireField => {
        const { schema, description, required } = fieldsOf(this.#follow(header, problems));
        const told = textOf(description);
        return {
          name,
          type: this.#outputs.read(schema ?? { type: 'string' }),
          isOptional: required !== true,
          ...(told !== undefined && { description: told }),
        };
      });
      return {
        label: status,
        note: undefined,
        description: textOf(one.description),
        headers,
        bodies: bodiesOf(one.content, this.#outputs, document),
      };
    });
  }
}

function bodiesOf(content: unknown, types: SchemaTypes, document: unknown): Body[] {
  return Object.entries(fieldsOf(content)).map(([mediaType, given]): Body => {
    const media = fieldsOf(given);
    const isBinary = media.schema === undefined && !/json|^text\/|xml|form/.test(mediaType);
    return {
      mediaType,
      type: isBinary ? { kind: 'file' } : types.read(media.schema),
      examples: examplesOf(media, document),
    };
  });
}

function examplesOf(one: Fields, document: unknown): Example[] {
  const named = Object.entries(fieldsOf(one.examples)).flatMap(([name, given]): Example[] => {
    const { value } = resolved(document, given);
    return isFields(value) && value.value !== undefined
      ? [{ name: textOf(value.summary) ?? name, value: value.value }]
      : [];
  });
  return one.example === undefined ? named : [{ name: 'Example', value: one.example }, ...named];
}
