// The page about the app: the tables of what the app is made of.
import type { ComponentChildren, JSX } from 'preact';
import { Badge, MethodBadge } from '../../../../framework/docs-page/parts/badge.js';
import { Button } from '../../../../framework/docs-page/parts/button.js';
import { Marked } from '../../../../framework/docs-page/parts/code.js';
import { Empty, Notice } from '../../../../framework/docs-page/parts/layout.js';
import type {
  ConfigInfo,
  ContractChange,
  MiddlewareInfo,
  ProcedureInfo,
  RouteInfo,
  SettingInfo,
  StepInfo,
} from '../app-info.js';
import type { SourcePlace } from '../protocol.js';
import { isCallable } from './procedure-call.js';
import { SourceLink } from './source-link.js';

type Column<Row> = readonly [title: string, cell: (row: Row) => ComponentChildren];

export interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly search: string;
}

/** Shows the rows in whose text the search is. */
export function Table<Row>({
  rows,
  search,
  columns,
  nothing,
  label,
}: TableProps<Row> & {
  readonly columns: readonly Column<Row>[];
  readonly nothing: string;
  readonly label: string;
}): JSX.Element {
  if (rows.length === 0) return <Empty title={nothing} />;
  const words = search.toLowerCase().split(' ').filter(Boolean);
  const fitting = rows.filter((row) => {
    const text = JSON.stringify(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <div class="table-scroll">
      <table class="table">
        <caption class="hidden-visually">{label}</caption>
        <thead>
          <tr>
            {columns.map(([title]) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fitting.map((row, index) => (
            <tr key={index}>
              {columns.map(([title, cell]) => (
                <td key={title}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {fitting.length === 0 ? <Empty title="No results" /> : null}
    </div>
  );
}

export function Source({ place }: { readonly place: SourcePlace | undefined }): JSX.Element {
  return place === undefined ? <span class="dim">–</span> : <SourceLink place={place} />;
}

function Names({ names }: { readonly names: readonly string[] }): JSX.Element {
  if (names.length === 0) return <span class="dim">–</span>;
  return <span class="mono">{names.join(' → ')}</span>;
}

function Named({ name }: { readonly name: string }): JSX.Element {
  return name === '' ? <span class="dim">anonymous</span> : <span class="mono">{name}</span>;
}

/** A function without a name is called by its place. */
function Steps({ steps }: { readonly steps: readonly StepInfo[] }): JSX.Element {
  if (steps.length === 0) return <span class="dim">–</span>;
  return (
    <>
      {steps.map(({ name, place }, index) => (
        <span key={index} class="mono">
          {index === 0 ? '' : ' → '}
          {name === '' && place !== undefined ? <SourceLink place={place} /> : name || 'anonymous'}
        </span>
      ))}
    </>
  );
}

/** A button in each row. */
interface Sending<Row> {
  readonly onSend: (row: Row) => void;
}

export function RoutesTable({ onSend, ...props }: TableProps<RouteInfo> & Sending<RouteInfo>): JSX.Element {
  return (
    <Table
      {...props}
      label="Routes"
      nothing="No routes are known"
      columns={[
        ['Method', ({ method }) => <MethodBadge method={method} />],
        ['Path', (row) => <RoutePath row={row} />],
        ['Who may call', ({ guards }) => <Guards guards={guards} />],
        ['Extractors', ({ extractors }) => <Names names={extractors} />],
        ['Middleware', ({ middleware }) => <Steps steps={middleware} />],
        ['Handler', ({ handler }) => <Named name={handler} />],
        ['Source', ({ place }) => <Source place={place} />],
        [
          'Try it',
          (row) =>
            row.method === 'WEBSOCKET' ? null : (
              <Button small label={`Send ${row.method} ${row.path}`} onClick={() => onSend(row)}>
                Send
              </Button>
            ),
        ],
      ]}
    />
  );
}

function RoutePath({ row }: { readonly row: RouteInfo }): JSX.Element {
  return (
    <>
      <span class={row.deprecated === true ? 'mono struck' : 'mono'}>{row.path}</span>
      {row.isHidden === true ? <span class="dim"> hidden in documents</span> : null}
      {row.summary === undefined ? null : <div class="dim">{row.summary}</div>}
    </>
  );
}

function Guards({ guards }: { readonly guards: readonly string[] }): JSX.Element {
  if (guards.length === 0) return <span class="dim">everybody</span>;
  return (
    <span class="row">
      {guards.map((guard) => (
        <Badge key={guard} tone="amber">
          {guard}
        </Badge>
      ))}
    </span>
  );
}

export function ProceduresTable({
  onSend,
  ...props
}: TableProps<ProcedureInfo> & Sending<ProcedureInfo>): JSX.Element {
  const from = { schema: 'a schema', text: 'a string', contract: 'the contract' };
  return (
    <Table
      {...props}
      label="Procedures"
      nothing="The app has no procedures"
      columns={[
        ['Kind', ({ kind }) => <MethodBadge method={kind} />],
        ['Name', ({ name }) => <span class="mono">{name}</span>],
        ['Input', ({ input }) => <Type text={input} />],
        ['Output', ({ output }) => <Type text={output} />],
        ['Types from', ({ types }) => from[types]],
        ['Who may call', ({ guards }) => <Guards guards={guards} />],
        ['Source', ({ place }) => <Source place={place} />],
        [
          'Try it',
          (row) =>
            isCallable(row) ? (
              <Button small label={`Call ${row.name}`} onClick={() => onSend(row)}>
                Call
              </Button>
            ) : null,
        ],
      ]}
    />
  );
}

function Type({ text }: { readonly text: string }): JSX.Element {
  return (
    <code class="type">
      <Marked code={text} language="ts" />
    </code>
  );
}

export function ContractChanges({
  changes,
}: {
  readonly changes: readonly ContractChange[] | undefined;
}): JSX.Element | null {
  if (changes === undefined) return null;
  if (changes.length === 0) return <p class="dim">The contract is that of the last commit.</p>;
  return (
    <section class="stack">
      <h2>Changed since the last commit</h2>
      {changes.map(({ procedure, kind, isBreaking, lines }) => (
        <Notice key={procedure} tone={isBreaking ? 'red' : kind === 'added' ? 'green' : 'plain'}>
          <div class="row">
            <strong class="mono">{procedure}</strong>
            <Badge>{kind}</Badge>
            {isBreaking ? <Badge tone="red">breaks older clients</Badge> : null}
          </div>
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Notice>
      ))}
    </section>
  );
}

export function MiddlewareTable(props: TableProps<MiddlewareInfo>): JSX.Element {
  return (
    <Table
      {...props}
      label="Middleware, in the order in which it runs"
      nothing="The app has no middleware"
      columns={[
        ['Name', ({ name }) => <Named name={name} />],
        ['Below', ({ below }) => <span class="mono">{below}</span>],
        ['Source', ({ place }) => <Source place={place} />],
      ]}
    />
  );
}

export function SettingsTable(props: TableProps<SettingInfo>): JSX.Element {
  return (
    <Table
      {...props}
      label="Settings"
      nothing="No settings are known"
      columns={[
        ['Setting', ({ name }) => <span class="mono">{name}</span>],
        ['Value', ({ value }) => <span class="mono">{value}</span>],
        [
          'Set at',
          ({ place }) =>
            place === undefined ? <span class="dim">default</span> : <SourceLink place={place} />,
        ],
      ]}
    />
  );
}

export function ConfigTable(props: TableProps<ConfigInfo>): JSX.Element {
  return (
    <Table
      {...props}
      label="Settings of fw.toml"
      nothing="The project has no fw.toml"
      columns={[
        ['Key', ({ key }) => <span class="mono">{key}</span>],
        ['Value', ({ value }) => <span class="mono">{value}</span>],
        [
          'Set at',
          ({ place }) =>
            place === undefined ? <span class="dim">default</span> : <SourceLink place={place} />,
        ],
      ]}
    />
  );
}
