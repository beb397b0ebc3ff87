// The page about the app: its routes, middleware, settings, procedures and environment.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { Empty, Notice } from '../../../../framework/docs-page/parts/layout.js';
import { SearchField } from '../../../../framework/docs-page/parts/search-field.js';
import { type Tab, Tabs } from '../../../../framework/docs-page/parts/tabs.js';
import type { AppInfo } from '../protocol.js';
import {
  ConfigTable,
  ContractChanges,
  EnvironmentTable,
  MiddlewareTable,
  ProceduresTable,
  RoutesTable,
  SettingsTable,
} from './app-tables.js';
import { fetchApp, messageOf } from './calls.js';
import { goTo, place } from './place.js';
import { state } from './store.js';

export function AppSection(): JSX.Element {
  const app = useSignal<AppInfo | undefined>(undefined);
  const failure = useSignal('');
  const search = useSignal('');
  const generation = state.value?.generation;
  const asked = useSignal(0);
  useEffect(() => {
    let isLeft = false;
    fetchApp().then(
      (found) => {
        if (isLeft) return;
        app.value = found;
        failure.value = '';
      },
      (error: unknown) => {
        if (!isLeft) failure.value = messageOf(error);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [generation, asked.value]);
  const info = app.value;
  return (
    <main class="app-section stack" aria-label="App">
      {failure.value === '' ? null : (
        <Notice tone="amber" alert>
          {failure.value}{' '}
          <Button
            small
            onClick={() => {
              asked.value += 1;
            }}
          >
            <Icon name="refresh" /> Try again
          </Button>
        </Notice>
      )}
      {info === undefined ? (
        failure.value === '' && <Empty title="Loading…" />
      ) : (
        <>
          <div class="app-search">
            <SearchField
              label="Search in the tables"
              value={search.value}
              onInput={(text) => {
                search.value = text;
              }}
            />
          </div>
          {info.isKnown ? null : (
            <Notice>
              This app does not listen with an App of fw, so its routes, middleware and settings are not
              known.
            </Notice>
          )}
          <Tabs
            label="Parts of the app"
            tabs={tabsOf(info, search.value)}
            open={place.value.item || 'routes'}
            onOpen={(id) => goTo('app', id)}
          />
        </>
      )}
    </main>
  );
}

function tabsOf(info: AppInfo, search: string): Tab[] {
  return [
    {
      id: 'routes',
      title: 'Routes',
      count: info.routes.length,
      panel: () => <RoutesTable rows={info.routes} search={search} />,
    },
    {
      id: 'procedures',
      title: 'Procedures',
      count: info.procedures.length,
      panel: () => (
        <div class="stack">
          <ContractChanges changes={info.contractChanges} />
          <ProceduresTable rows={info.procedures} search={search} />
        </div>
      ),
    },
    {
      id: 'middleware',
      title: 'Middleware',
      count: info.middleware.length,
      panel: () => <MiddlewareTable rows={info.middleware} search={search} />,
    },
    {
      id: 'settings',
      title: 'Settings',
      panel: () => <SettingsTable rows={info.settings} search={search} />,
    },
    {
      id: 'environment',
      title: 'Environment',
      panel: () => <EnvironmentTable rows={info.environment} search={search} />,
    },
    { id: 'config', title: 'fw.toml', panel: () => <ConfigTable rows={info.config} search={search} /> },
  ];
}
