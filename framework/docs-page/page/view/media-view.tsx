// The page about an API: the alternatives of a body, each with its type and its examples.
import type { JSX } from 'preact';
import type { Body, Example } from '../../../api-model/detail.js';
import type { Lookup } from '../../../api-model/type-space.js';
import { exampleOf } from '../../../wire/made-value.js';
import { Code } from '../../parts/code.js';
import { Tabs } from '../../parts/tabs.js';
import { TypeView } from './type-view.js';

export function MediaView({
  bodies,
  lookup,
  label,
  showsMediaType,
}: {
  readonly bodies: readonly Body[];
  readonly lookup: Lookup;
  readonly label: string;
  readonly showsMediaType: boolean;
}): JSX.Element {
  return (
    <>
      {bodies.map((body) => (
        <div key={body.mediaType} class="stack tight">
          {showsMediaType ? <p class="dim mono">{body.mediaType}</p> : null}
          <OneBody body={body} lookup={lookup} label={label} />
        </div>
      ))}
    </>
  );
}

function OneBody({
  body,
  lookup,
  label,
}: {
  readonly body: Body;
  readonly lookup: Lookup;
  readonly label: string;
}): JSX.Element {
  const { type, examples } = body;
  const typeView = (): JSX.Element => <TypeView type={type} lookup={lookup} label={label} />;
  if (type.kind === 'file' || (type.kind === 'unknown' && examples.length === 0)) return typeView();
  const all = examples.length > 0 ? examples : madeExamples(body, lookup);
  return (
    <Tabs
      label={`Views of ${label}`}
      tabs={[
        { id: 'type', title: 'Type', panel: typeView },
        ...all.slice(0, 8).map(({ name, value }, index) => ({
          id: `example-${index}`,
          title: name,
          panel: () => <Code code={textOf(value)} language="json" label={`${name} of ${label}`} />,
        })),
      ]}
    />
  );
}

function madeExamples({ type, mediaType }: Body, lookup: Lookup): readonly Example[] {
  if (!/json|form/.test(mediaType)) return [];
  return [{ name: 'Example', value: exampleOf(type, lookup) }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
