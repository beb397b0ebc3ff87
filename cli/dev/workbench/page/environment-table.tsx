// The page about the app: the environment variables, with those that the app reads in front of all others.
import type { JSX } from 'preact';
import { Badge } from '../../../../framework/docs-page/parts/badge.js';
import { Empty } from '../../../../framework/docs-page/parts/layout.js';
import type { EnvironmentInfo } from '../app-info.js';
import { Source, Table, type TableProps } from './app-tables.js';

export function EnvironmentTables({ rows, search }: TableProps<EnvironmentInfo>): JSX.Element {
  const read = rows.filter(({ readBy }) => readBy === 'app');
  const own = rows.filter(({ readBy, from }) => readBy !== 'app' && from !== 'shell');
  const others = rows.filter(({ readBy, from }) => readBy !== 'app' && from === 'shell');
  return (
    <div class="stack">
      <section class="stack">
        <h2>Read by the app</h2>
        {read.length === 0 ? (
          <Empty title="None so far">A variable is here when the app has read it.</Empty>
        ) : (
          <Variables rows={read} search={search} label="Variables that the app has read" hasPlace />
        )}
      </section>
      {own.length === 0 ? null : (
        <section class="stack">
          <h2>Set for the app, and not read by it so far</h2>
          <Variables rows={own} search={search} label="Variables that are set for the app" />
        </section>
      )}
      {others.length === 0 ? null : (
        // What is searched for must not be hidden.
        <details key={search === '' ? 'all' : 'found'} open={search !== ''}>
          <summary>{others.length} more from the shell</summary>
          <Variables rows={others} search={search} label="Other variables of the shell" />
        </details>
      )}
    </div>
  );
}

function Variables({
  label,
  hasPlace = false,
  ...props
}: TableProps<EnvironmentInfo> & {
  readonly label: string;
  readonly hasPlace?: boolean;
}): JSX.Element {
  return (
    <Table
      {...props}
      label={label}
      nothing="No variables are known"
      columns={[
        ['Variable', (row) => <Variable row={row} />],
        [
          'Value',
          ({ value }) =>
            value === undefined ? (
              <Badge tone="amber">not set</Badge>
            ) : (
              <span class="mono value">{value}</span>
            ),
        ],
        ['From', ({ from }) => from ?? <span class="dim">–</span>],
        ...(hasPlace ? [['Read at', ({ place }: EnvironmentInfo) => <Source place={place} />] as const] : []),
      ]}
    />
  );
}

function Variable({ row: { name, readBy } }: { readonly row: EnvironmentInfo }): JSX.Element {
  return (
    <>
      <span class="mono">{name}</span>
      {readBy === 'package' ? <span class="dim"> read by a package</span> : null}
    </>
  );
}
