// The page about the app: the documentation of the installed version, with its search.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { BackToList, Empty, Notice, Split } from '../../../../framework/docs-page/parts/layout.js';
import { SearchField } from '../../../../framework/docs-page/parts/search-field.js';
import { type Block, plainText } from '../../../manual/blocks.js';
import type { DocsPage, DocsPageSummary, DocsResult } from '../protocol.js';
import { Blocks, docsLink } from './blocks-view.js';
import { fetchDocs, fetchDocsPage, findDocs, messageOf } from './calls.js';
import { goTo, place } from './place.js';

/** How long the search waits for the next letter, in milliseconds. */
const PAUSE = 120;

export function DocsSection(): JSX.Element {
  const { item } = place.value;
  const search = useSignal('');
  const [name = '', slug = ''] = item.split(':', 2);
  return (
    <Split
      class="docs"
      open={item === '' ? 'list' : 'detail'}
      listLabel="Pages of the documentation"
      detailLabel="Page"
      list={
        <>
          <div class="list-tools">
            <SearchField
              label="Search the documentation"
              value={search.value}
              onInput={(text) => {
                search.value = text;
              }}
            />
          </div>
          {search.value.trim() === '' ? (
            <AllPages open={name} />
          ) : (
            <Results query={search.value} open={name} />
          )}
        </>
      }
      detail={
        name === '' ? (
          <Empty title="No page selected">Select one, or search for words or the code of an error.</Empty>
        ) : (
          <Page key={name} name={name} slug={slug} />
        )
      }
    />
  );
}

function AllPages({ open }: { readonly open: string }): JSX.Element {
  const pages = useSignal<readonly DocsPageSummary[]>([]);
  const failure = useSignal('');
  useEffect(() => {
    fetchDocs().then(
      (all) => {
        pages.value = all;
      },
      (error: unknown) => {
        failure.value = messageOf(error);
      },
    );
  }, []);
  const groups = [...new Set(pages.value.map(({ group }) => group))];
  return (
    <div class="scroll">
      <Failure text={failure.value} />
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2 class="docs-group">{group}</h2>
          <ul class="rows">
            {pages.value
              .filter((one) => one.group === group)
              .map((one) => (
                <li key={one.name}>
                  <a class="docs-row" href={docsLink(one.name, '')} aria-current={isOpen(one, open)}>
                    {one.title}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Results({ query, open }: { readonly query: string; readonly open: string }): JSX.Element {
  const results = useSignal<readonly DocsResult[] | undefined>(undefined);
  const failure = useSignal('');
  useEffect(() => {
    const left = new AbortController();
    const timer = setTimeout(() => {
      findDocs(query, left.signal).then(
        (found) => {
          results.value = found;
          failure.value = '';
        },
        (error: unknown) => {
          if (!left.signal.aborted) failure.value = messageOf(error);
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [query]);
  const found = results.value;
  return (
    <div class="scroll" role="status">
      <Failure text={failure.value} />
      {found?.length === 0 ? <Empty title="No results">Use other words, or empty the search.</Empty> : null}
      <ul class="rows">
        {(found ?? []).map((one) => (
          <li key={one.name}>
            <a class="error-row" href={docsLink(one.name, one.slug)} aria-current={isOpen(one, open)}>
              <strong>{one.heading === '' ? one.title : `${one.title} › ${one.heading}`}</strong>
              <span class="dim docs-excerpt">{one.excerpt}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isOpen({ name }: DocsPageSummary, open: string): 'true' | undefined {
  return name === open ? 'true' : undefined;
}

function Failure({ text }: { readonly text: string }): JSX.Element | null {
  if (text === '') return null;
  return (
    <Notice tone="amber" alert>
      {text}
    </Notice>
  );
}

function Page({ name, slug }: { readonly name: string; readonly slug: string }): JSX.Element {
  const page = useSignal<DocsPage | undefined>(undefined);
  const failure = useSignal('');
  useEffect(() => {
    fetchDocsPage(name).then(
      (found) => {
        page.value = found;
        failure.value = '';
      },
      (error: unknown) => {
        failure.value = messageOf(error);
      },
    );
  }, [name]);
  const shown = page.value;
  useEffect(() => {
    if (shown === undefined) return;
    const heading = slug === '' ? undefined : document.getElementById(`docs-${slug}`);
    // The keyboard goes on from there.
    heading?.focus();
    heading?.scrollIntoView();
  }, [shown, slug]);
  return (
    <article class="detail docs-page">
      <BackToList onClick={() => goTo('docs')} />
      <Failure text={failure.value} />
      {shown === undefined ? null : <PageView page={shown} />}
    </article>
  );
}

/** With more sections than this, they are listed at the top. */
const FEW_SECTIONS = 2;

function PageView({ page: { name, blocks } }: { readonly page: DocsPage }): JSX.Element {
  const [title, ...rest] = blocks;
  const sections = rest.filter(isSection);
  return (
    <>
      {title === undefined ? null : <Blocks blocks={[title]} page={name} />}
      {sections.length <= FEW_SECTIONS ? null : (
        <nav class="docs-sections" aria-label="On this page">
          {sections.map(({ slug, parts }) => (
            <a key={slug} href={docsLink(name, slug)}>
              {plainText(parts)}
            </a>
          ))}
        </nav>
      )}
      <Blocks blocks={rest} page={name} />
    </>
  );
}

function isSection(block: Block): block is Extract<Block, { kind: 'heading' }> {
  return block.kind === 'heading' && block.depth === 2;
}
