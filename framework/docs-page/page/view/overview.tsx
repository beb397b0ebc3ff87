// The page about an API: what shows before an operation is opened.
import type { JSX } from 'preact';
import type { Api } from '../../../api-model/api.js';
import { kindsOf } from '../../../api-model/search.js';
import { MethodBadge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { hashOf } from '../state/page-state.js';
import { MarkdownView } from './markdown-view.js';

/** The list has all of them. */
const MOST_GROUPS = 24;

export function Overview({
  api,
  onAuthenticate,
}: {
  readonly api: Api;
  readonly onAuthenticate: () => void;
}): JSX.Element {
  const { operations } = api;
  const groups = [...new Set(operations.map(({ group }) => group))];
  return (
    <article class="overview stack">
      <h2 class="overview-title">{api.title}</h2>
      {api.description === undefined ? null : <MarkdownView text={api.description} />}
      <p class="dim">
        {operations.length === 1 ? '1 operation' : `${operations.length} operations`}
        {groups.length > 1 ? ` in ${groups.length} groups` : ''}. Press <kbd>/</kbd> to search.
      </p>
      <div class="row">
        {kindsOf(operations).map((kind) => (
          <span key={kind} class="row kind-count">
            <MethodBadge method={kind} />
            <span class="dim">{operations.filter((one) => one.kind === kind).length}</span>
          </span>
        ))}
      </div>
      {operations.some(({ isLocked }) => isLocked) ? (
        <div class="row">
          <Button onClick={onAuthenticate}>
            <Icon name="key" /> Authenticate
          </Button>
          <span class="dim">
            <span class="inline-icon">
              <Icon name="lock" />
            </span>{' '}
            marks what needs a caller who is known.
          </span>
        </div>
      ) : null}
      <ul class="cards">
        {groups.slice(0, MOST_GROUPS).map((group) => {
          const own = operations.filter((one) => one.group === group);
          return (
            <li key={group}>
              <h3>{group}</h3>
              <ul>
                {own.slice(0, 6).map((one) => (
                  <li key={one.id}>
                    <a class="card-link" href={hashOf(one.id)}>
                      <span class="op-kind">
                        <MethodBadge method={one.kind} isShort />
                      </span>
                      <span class={one.isDeprecated ? 'mono gone' : 'mono'}>{one.name}</span>
                      <span class="dim card-summary">{one.summary}</span>
                    </a>
                  </li>
                ))}
              </ul>
              {own.length > 6 ? <p class="dim">and {own.length - 6} more</p> : null}
            </li>
          );
        })}
      </ul>
      {groups.length > MOST_GROUPS ? (
        <p class="dim">and {groups.length - MOST_GROUPS} more groups in the list</p>
      ) : null}
    </article>
  );
}
