// The page about an API: what an operation takes: its parameters and its body.
import type { JSX } from 'preact';
import { constraintsOf } from '../../../api-model/constraints.js';
import type { Detail, Parameter } from '../../../api-model/detail.js';
import type { Lookup } from '../../../api-model/type-space.js';
import { bareTypeText } from '../../../api-model/type-text.js';
import type { WireType } from '../../../wire/wire-type.js';
import { Badge } from '../../parts/badge.js';
import { MarkdownView } from './markdown-view.js';
import { MediaView } from './media-view.js';
import { TypeView } from './type-view.js';

const TITLES = { path: 'Path', query: 'Query', header: 'Headers', cookie: 'Cookies' } as const;

export function ParametersView({
  parameters,
  lookup,
}: {
  readonly parameters: readonly Parameter[];
  readonly lookup: Lookup;
}): JSX.Element {
  const places = [...new Set(parameters.map((one) => one.in))];
  return (
    <>
      {places.map((place) => (
        <section key={place} class="stack tight">
          <h2>{TITLES[place]}</h2>
          <ul class="params">
            {parameters
              .filter((one) => one.in === place)
              .map((one) => (
                <li key={one.name}>
                  <ParameterView parameter={one} lookup={lookup} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function ParameterView({
  parameter,
  lookup,
}: {
  readonly parameter: Parameter;
  readonly lookup: Lookup;
}): JSX.Element {
  const { name, type, isRequired, isDeprecated } = parameter;
  const description = parameter.description ?? type.description;
  const notes = constraintsOf(type);
  const isShort = isShortType(type);
  return (
    <>
      <p class="param-line">
        <code class={isDeprecated ? 'param-name gone' : 'param-name'}>{name}</code>
        {isShort ? <code class="param-type">{bareTypeText(type)}</code> : null}
        {isRequired ? <Badge tone="amber">required</Badge> : null}
        {isDeprecated ? <Badge>deprecated</Badge> : null}
        {notes.length > 0 ? <span class="dim">{notes.join(', ')}</span> : null}
      </p>
      {description === undefined ? null : <MarkdownView text={description} />}
      {isShort ? null : <TypeView type={{ ...type, notes: {} }} lookup={lookup} label={name} />}
    </>
  );
}

function isShortType(type: WireType): boolean {
  if (type.kind === 'ref' || type.kind === 'object' || type.kind === 'tuple') return false;
  if (type.kind === 'array') return isShortType(type.items);
  return type.kind !== 'union' || (type.members.every(isShortType) && type.members.length < 12);
}

export function BodiesView({ detail }: { readonly detail: Detail }): JSX.Element | null {
  const { bodies, isBodyRequired, inputs, target } = detail;
  if (bodies.length === 0) return null;
  const title = target.kind === 'rpc' ? 'Input' : 'Body';
  return (
    <section class="stack tight">
      <h2 class="row">
        {title}
        {isBodyRequired ? null : <Badge>optional</Badge>}
      </h2>
      <MediaView bodies={bodies} lookup={inputs} label={title} showsMediaType={target.kind !== 'rpc'} />
    </section>
  );
}
