// The page about the app: the mails that it has sent, with links to click, and what has sent them.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Badge, type Tone } from '../../../../framework/docs-page/parts/badge.js';
import { clock } from '../../../../framework/docs-page/parts/format.js';
import { BackToList, Empty, Facts, Notice, Split } from '../../../../framework/docs-page/parts/layout.js';
import { SearchField } from '../../../../framework/docs-page/parts/search-field.js';
import { Tabs } from '../../../../framework/docs-page/parts/tabs.js';
import type { MailDetail, MailSummary, RequestSummary } from '../protocol.js';
import { fetchMail, messageOf } from './calls.js';
import { matching } from './kept-lists.js';
import { goTo, linkTo, place } from './place.js';
import { ErrorView } from './source-link.js';
import { mails } from './store.js';

const states: Readonly<Record<MailSummary['state'], readonly [text: string, tone: Tone]>> = {
  sending: ['sending…', 'blue'],
  sent: ['sent', 'green'],
  written: ['file', 'plain'],
  failed: ['failed', 'red'],
};

export function MailSection(): JSX.Element {
  const { item } = place.value;
  const search = useSignal('');
  const list = (
    <>
      <div class="list-tools">
        <SearchField
          label="Search mails"
          value={search.value}
          onInput={(text) => {
            search.value = text;
          }}
        />
      </div>
      <MailRows search={search.value} open={item} />
    </>
  );
  return (
    <Split
      class="requests"
      open={item === '' ? 'list' : 'detail'}
      list={list}
      listLabel="Mails"
      detailLabel="Mail"
      detail={
        item === '' ? (
          <Empty title="No mail selected">Select one to read it.</Empty>
        ) : (
          <Mail key={item} id={Number(item)} />
        )
      }
    />
  );
}

function MailRows({ search, open }: { readonly search: string; readonly open: string }): JSX.Element {
  const rows = matching(
    mails.value.map(({ id, subject, to }) => ({ id, subject, to })),
    search,
  );
  const byId = new Map(mails.value.map((one) => [one.id, one]));
  if (rows.length === 0) {
    if (search.trim() !== '') return <Empty title="No results">No mail matches the search.</Empty>;
    return (
      <Empty title="No mails yet">
        <span>
          What the app sends with <code>fw/mail</code> shows here.
        </span>
      </Empty>
    );
  }
  return (
    <div class="scroll">
      <ul class="rows">
        {rows.map(({ id }) => {
          const mail = byId.get(id);
          return mail === undefined ? null : <MailRow key={id} mail={mail} isOpen={String(id) === open} />;
        })}
      </ul>
    </div>
  );
}

function MailRow({ mail, isOpen }: { readonly mail: MailSummary; readonly isOpen: boolean }): JSX.Element {
  const { id, began, to, subject } = mail;
  return (
    <li>
      <a class="error-row" href={linkTo('mail', id)} aria-current={isOpen ? 'true' : undefined}>
        <span class="error-row-title">{subject}</span>
        <span class="row dim">
          <StateBadge mail={mail} />
          <span class="mail-to">{to.join(', ')}</span>
          <span class="nowrap">{clock(began)}</span>
        </span>
      </a>
    </li>
  );
}

function StateBadge({ mail: { state } }: { readonly mail: MailSummary }): JSX.Element {
  const [text, tone] = states[state];
  return <Badge tone={tone}>{text}</Badge>;
}

function Mail({ id }: { readonly id: number }): JSX.Element {
  const detail = useSignal<MailDetail | undefined>(undefined);
  const failure = useSignal('');
  // Its text stays, but how it was sent, and by which request, comes later.
  const summary = mails.value.find((one) => one.id === id);
  useEffect(() => {
    fetchMail(id).then(
      (mail) => {
        detail.value = mail;
        failure.value = '';
      },
      (error: unknown) => {
        failure.value = messageOf(error);
      },
    );
  }, [id, summary?.state]);
  const mail = detail.value;
  return (
    <article class="detail stack">
      <BackToList onClick={() => goTo('mail')} />
      {failure.value === '' ? null : (
        <Notice tone="amber" alert>
          {failure.value}
        </Notice>
      )}
      {mail === undefined ? null : <MailView mail={{ ...mail, ...summary }} />}
    </article>
  );
}

function MailView({ mail }: { readonly mail: MailDetail }): JSX.Element {
  const { id, began, from, to, replyTo, subject, text, hasHtml, isCut, file, error, state, request } = mail;
  return (
    <>
      <header class="stack head">
        <h2 class="head-title">
          <span class="target">{subject}</span>
        </h2>
        <div class="row dim">
          <StateBadge mail={mail} />
          <span>{clock(began)}</span>
          {request === undefined ? null : <SentBy request={request} />}
        </div>
        <Facts
          facts={[
            ['to', to.join(', ')],
            ['from', from],
            ...(replyTo === undefined ? [] : [['reply to', replyTo] as const]),
            ...(file === undefined ? [] : [['file', file] as const]),
          ]}
        />
      </header>
      {error === undefined ? null : <ErrorView error={error} />}
      {state === 'failed' && error === undefined ? (
        <Notice tone="red">The process ended before the mail was sent.</Notice>
      ) : null}
      {isCut === true ? <Notice tone="amber">The mail is longer; this is its beginning.</Notice> : null}
      <Tabs
        label="Parts of the mail"
        tabs={[
          { id: 'text', title: 'Text', panel: () => <LinkedText text={text} /> },
          ...(hasHtml ? [{ id: 'html', title: 'HTML', panel: () => <HtmlFrame id={id} /> }] : []),
        ]}
      />
    </>
  );
}

function SentBy({ request }: { readonly request: RequestSummary }): JSX.Element {
  const { id, method, target } = request;
  return (
    <a class="mono mail-request" href={linkTo('requests', id)}>
      {method} {target}
    </a>
  );
}

/** `fw dev` sends it with a policy of its own; the frame has no more rights than that. */
function HtmlFrame({ id }: { readonly id: number }): JSX.Element {
  return (
    <div class="stack">
      <iframe
        class="mail-html"
        title="The mail as HTML"
        src={`mail-html/${id}`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
      <p class="dim">Scripts, forms, and images of other servers are left out.</p>
    </div>
  );
}

const LINK = /(https?:\/\/[^\s<>"]+)/;

function LinkedText({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="details mail-text">
      {text.split(LINK).map((part, index) => {
        if (index % 2 === 0) return part;
        const link = /^(.*?)[.,;:!?)\]}']{0,20}$/.exec(part)?.[1] ?? part;
        return [
          <a key={index} href={link} target="_blank" rel="noreferrer">
            {link}
          </a>,
          part.slice(link.length),
        ];
      })}
    </div>
  );
}
