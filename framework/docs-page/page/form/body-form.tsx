// The page about an API: the body of a call, as a form or as JSON: two views of one value.
import type { JSX } from 'preact';
import type { Detail } from '../../../api-model/detail.js';
import { pathKey, type ValuePath, valueAtPath } from '../../../api-model/value-path.js';
import { exampleOf } from '../../../wire/made-value.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/layout.js';
import { Tabs } from '../../parts/tabs.js';
import type { FormState } from '../state/form-state.js';
import { Field } from './field.js';
import type { FormValue } from './form-value.js';

export function BodyForm({
  state,
  detail,
  title,
}: {
  readonly state: FormState;
  readonly detail: Detail;
  readonly title: string;
}): JSX.Element | null {
  const { body } = state;
  if (body === undefined) return null;
  const { mediaType } = state.filled.value;
  return (
    <section class="stack tight" aria-label={title}>
      {detail.bodies.length > 1 ? (
        <label class="form-row">
          <span class="form-label">Content type</span>
          <select
            class="field mono"
            value={mediaType}
            onInput={(event) => state.setMediaType(event.currentTarget.value)}
          >
            {detail.bodies.map((one) => (
              <option key={one.mediaType} value={one.mediaType}>
                {one.mediaType}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <Tabs
        label={`Views of ${title}`}
        open={state.isRaw.value ? 'raw' : 'form'}
        onOpen={(id) => {
          state.isRaw.value = id === 'raw';
        }}
        tabs={[
          { id: 'form', title: title, panel: () => <Whole state={state} detail={detail} title={title} /> },
          { id: 'raw', title: 'JSON', panel: () => <Raw state={state} detail={detail} title={title} /> },
        ]}
      />
    </section>
  );
}

function Whole({
  state,
  detail,
  title,
}: {
  readonly state: FormState;
  readonly detail: Detail;
  readonly title: string;
}): JSX.Element {
  const type = state.body?.type ?? { kind: 'unknown' };
  return (
    <div class="form">
      {state.rawFault === undefined ? null : (
        <Notice tone="amber">The text in the tab JSON is not valid JSON: {state.rawFault}</Notice>
      )}
      <Field
        form={formOf(state, detail)}
        path={[]}
        type={type}
        label={title}
        isOptional={!detail.isBodyRequired}
      />
    </div>
  );
}

function formOf(state: FormState, detail: Detail): FormValue {
  const inBody = (path: ValuePath): ValuePath => ['body', ...path];
  return {
    lookup: detail.inputs,
    Field,
    valueAt: (path) => valueAtPath(state.filled.value.body, path),
    change: (path, value) => {
      state.changeBody(path, value);
      state.touch(pathKey(inBody(path)));
    },
    issueAt: (path) => state.issueAt(inBody(path)),
    touch: (path) => state.touch(pathKey(inBody(path))),
    choiceAt: (path) => state.choices.value.get(pathKey(path)),
    choose: (path, index) => state.choose(pathKey(path), index),
  };
}

function Raw({
  state,
  detail,
  title,
}: {
  readonly state: FormState;
  readonly detail: Detail;
  readonly title: string;
}): JSX.Element {
  const { body, rawFault, mayBeRaw } = state;
  if (!mayBeRaw) return <p class="dim">A value with files is filled in by the form.</p>;
  const issues =
    rawFault === undefined ? [...state.issues.value].filter(([key]) => key.startsWith('["body"')) : [];
  return (
    <div class="stack tight">
      <textarea
        class="field raw"
        aria-label={`${title} as JSON`}
        aria-invalid={rawFault !== undefined || issues.length > 0}
        aria-describedby="raw-issues"
        spellcheck={false}
        rows={Math.min(20, Math.max(6, state.raw.split('\n').length + 1))}
        value={state.raw}
        onInput={(event) => state.setRaw(event.currentTarget.value)}
      />
      <div id="raw-issues" aria-live="polite" class="form-issue">
        {rawFault}
        {issues.slice(0, 5).map(([key, message]) => (
          <p key={key}>
            {placeText(key)}
            {message}
          </p>
        ))}
      </div>
      {body === undefined ? null : (
        <div>
          <Button small onClick={() => state.setBody(exampleOf(body.type, detail.inputs))}>
            Fill in an example
          </Button>
        </div>
      )}
    </div>
  );
}

/** `tags[0]: ` for a path in the body. */
function placeText(key: string): string {
  const path = (JSON.parse(key) as (string | number)[]).slice(1);
  const text = path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
  return text === '' ? '' : `${text}: `;
}
