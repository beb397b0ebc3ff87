// The page about the app: its routes, middleware, settings, procedures and environment.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Icon } from '../../../../framework/docs-page/parts/icon.js';
import { Empty, Notice } from '../../../../framework/docs-page/parts/layout.js';
import { SearchField } from '../../../../framework/docs-page/parts/search-field.js';
import { type Tab, Tabs } from '../../../../framework/docs-page/parts/tabs.js';
import type { AppInfo, ProcedureInfo } from '../app-info.js';
import {
  ConfigTable,
  ContractChanges,
  MiddlewareTable,
  ProceduresTable,
  RoutesTable,
  SettingsTable,
} from './app-tables.js';
import { fetchApp, fetchRequest, messageOf } from './calls.js';
import { type Draft, EditDialog } from './edit-dialog.js';
import { EnvironmentTables } from './environment-table.js';
import { goTo, place } from './place.js';
import { callDraft, routeDraft, sessionFor } from './procedure-call.js';
import { cycles, requests, state } from './store.js';

export function AppSection(): JSX.Element {
  const app = useSignal<AppInfo | undefined>(undefined);
  const failure = useSignal('');
  const search = useSignal('');
  const generation = state.value?.generation;
  // A client can be written after the app is ready, and the types of its procedures are shown here.
  const clients = cycles.value.findLast(({ kind }) => kind === 'client')?.id;
  const asked = useSignal(0);
  const { send, dialog } = useSending((text) => {
    failure.value = text;
  });
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
  }, [generation, clients, asked.value]);
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
            tabs={tabsOf(info, search.value, send)}
            open={place.value.item || 'routes'}
            onOpen={(id) => goTo('app', id)}
          />
        </>
      )}
      {dialog}
    </main>
  );
}

/** Opens a dialog with a request, once that is made. */
function useSending(onProblem: (text: string) => void): { send: Send; dialog: JSX.Element | null } {
  const draft = useSignal<{ readonly title: string; readonly call: Draft } | undefined>(undefined);
  const send: Send = (title, made) => {
    Promise.resolve(made).then(
      (call) => {
        draft.value = { title, call };
      },
      (error: unknown) => onProblem(messageOf(error)),
    );
  };
  const dialog =
    draft.value === undefined ? null : (
      <EditDialog
        title={draft.value.title}
        draft={draft.value.call}
        onClose={() => {
          draft.value = undefined;
        }}
      />
    );
  return { send, dialog };
}

type Send = (title: string, made: Draft | Promise<Draft>) => void;

async function callOf(procedure: ProcedureInfo): Promise<Draft> {
  const session = sessionFor(procedure, requests.value);
  return callDraft(procedure, session && (await fetchRequest(session.id)));
}

function tabsOf(info: AppInfo, search: string, send: Send): Tab[] {
  return [
    {
      id: 'routes',
      title: 'Routes',
      count: info.routes.length,
      panel: () => (
        <RoutesTable
          rows={info.routes}
          search={search}
          onSend={(route) => send(`${route.method} ${route.path}`, routeDraft(route))}
        />
      ),
    },
    {
      id: 'procedures',
      title: 'Procedures',
      count: info.procedures.length,
      panel: () => (
        <div class="stack">
          <ContractChanges changes={info.contractChanges} />
          <ProceduresTable
            rows={info.procedures}
            search={search}
            onSend={(procedure) => send(`Call ${procedure.name}`, callOf(procedure))}
          />
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
      panel: () => <EnvironmentTables rows={info.environment} search={search} />,
    },
    { id: 'config', title: 'fw.toml', panel: () => <ConfigTable rows={info.config} search={search} /> },
  ];
}
