// The page about the app: its frame, with the state of the app and the sections.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Badge } from '../../../../framework/docs-page/parts/badge.js';
import { Notice } from '../../../../framework/docs-page/parts/layout.js';
import { isTyping } from '../../../../framework/docs-page/parts/search-field.js';
import { ThemeSwitch } from '../../../../framework/docs-page/parts/theme.js';
import { AppSection } from './app-section.js';
import { ChartsSection } from './charts-section.js';
import { CycleSection } from './cycle-section.js';
import { DocsSection } from './docs-section.js';
import { MailSection } from './mail-section.js';
import { goTo, linkTo, place, type Section } from './place.js';
import { RequestsSection } from './requests-section.js';
import { cycles, hello, isConnected, mails, problem, requests, state } from './store.js';

const sections: readonly (readonly [section: Section, title: string, key: string])[] = [
  ['requests', 'Requests', '1'],
  ['app', 'App', '2'],
  ['restarts', 'Restarts', '3'],
  ['charts', 'Charts', '4'],
  ['mail', 'Mail', '5'],
  ['docs', 'Docs', '6'],
];

export function Workbench(): JSX.Element {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const found = sections.find(([, , key]) => key === event.key);
      if (found !== undefined) goTo(found[0]);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const { section } = place.value;
  useEffect(() => {
    // On narrow screens, the sections scroll.
    document
      .querySelector('.sections [aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [section]);
  const name = hello.value?.name ?? '';
  document.title = `${name === '' ? 'fw dev' : `${name} · fw dev`}`;
  return (
    <div class="page">
      <header class="page-top">
        <h1 class="page-title">
          <span class="logo">fw</span> {name === '' ? 'dev' : name}
        </h1>
        <nav class="sections" aria-label="Sections">
          {sections.map(([id, title, key]) => (
            <a
              key={id}
              href={linkTo(id)}
              aria-current={id === section ? 'page' : undefined}
              aria-keyshortcuts={key}
              title={`${title} (key ${key})`}
            >
              {title}
              {countOf(id)}
            </a>
          ))}
        </nav>
        <span class="grow" />
        <LiveBadge />
        <ThemeSwitch />
      </header>
      <div class="section">
        {problem.value === '' ? null : (
          <Notice tone="amber" alert>
            {problem.value}
          </Notice>
        )}
        <SectionView section={section} />
      </div>
    </div>
  );
}

function SectionView({ section }: { readonly section: Section }): JSX.Element {
  if (section === 'requests') return <RequestsSection />;
  if (section === 'app') return <AppSection />;
  if (section === 'mail') return <MailSection />;
  if (section === 'docs') return <DocsSection />;
  return section === 'restarts' ? <CycleSection /> : <ChartsSection />;
}

function countOf(section: Section): JSX.Element | null {
  if (section === 'requests') return <span class="count">{requests.value.length}</span>;
  if (section === 'mail') return <span class="count">{mails.value.length}</span>;
  return section === 'restarts' ? <span class="count">{cycles.value.length}</span> : null;
}

/** What the app does now; a link to the last failure. */
function LiveBadge(): JSX.Element {
  const now = state.value;
  return (
    <span role="status">
      {!isConnected.value ? (
        <Badge tone="amber">connecting…</Badge>
      ) : now?.phase === 'failed' ? (
        <a class="live-link" href={linkTo('restarts')}>
          <Badge tone="red">
            {now.failure?.keepsServing === true ? 'failed, last good version answers' : 'failed'}
          </Badge>
        </a>
      ) : now?.phase === 'ready' ? (
        <Badge tone="green">ready</Badge>
      ) : (
        <Badge tone="blue">{now?.phase === 'starting' ? 'starting…' : 'reloading…'}</Badge>
      )}
    </span>
  );
}
