// The page about the app: header fields and body of a request or a response.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Code } from '../../../../framework/docs-page/parts/code.js';
import { size } from '../../../../framework/docs-page/parts/format.js';
import { JsonView } from '../../../../framework/docs-page/parts/json-view.js';
import { Facts } from '../../../../framework/docs-page/parts/layout.js';
import type { HeaderField, ShownBody } from '../protocol.js';

export function MessageView({
  what,
  headers,
  body,
}: {
  readonly what: 'request' | 'response';
  readonly headers: readonly HeaderField[];
  readonly body: ShownBody | undefined;
}): JSX.Element {
  return (
    <div class="stack">
      <section class="stack">
        <h3>Body</h3>
        {body === undefined || body.size === 0 ? (
          <p class="dim">The {what} has no body.</p>
        ) : (
          <BodyView what={what} body={body} />
        )}
      </section>
      <section class="stack">
        <h3>Header fields</h3>
        {headers.length === 0 ? <p class="dim">There are none.</p> : <Facts facts={headers} />}
      </section>
    </div>
  );
}

function BodyView({ what, body }: { readonly what: string; readonly body: ShownBody }): JSX.Element {
  const isRaw = useSignal(false);
  const { text, type, isCut } = body;
  const facts = [type, size(body.size), isCut === true ? 'cut off' : ''].filter(Boolean).join(' · ');
  if (text === undefined) return <p class="dim">{facts} · not shown, because it is not text</p>;
  const json = isCut === true ? undefined : parsed(text);
  return (
    <>
      <div class="row">
        <span class="dim grow">{facts}</span>
        {json === undefined ? null : (
          <Button
            small
            kind="quiet"
            pressed={isRaw.value}
            onClick={() => {
              isRaw.value = !isRaw.value;
            }}
          >
            Raw
          </Button>
        )}
      </div>
      {json === undefined || isRaw.value ? (
        <Code code={text} language={type.includes('json') ? 'json' : 'text'} label={`body of the ${what}`} />
      ) : (
        <JsonView value={json.value} label={`Body of the ${what}`} />
      )}
    </>
  );
}

/** Undefined for text that is not JSON of an object or an array. */
function parsed(text: string): { readonly value: unknown } | undefined {
  if (!/^[ \t\r\n]{0,20}[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
