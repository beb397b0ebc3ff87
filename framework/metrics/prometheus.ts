// Metrics: instruments of prom-client, whose registry gives the text that Prometheus reads.
import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import type { Instrument, Labels, Meters, Note } from './meters.js';

/** What is used of the package prom-client. */
export interface PromClient {
  readonly Counter: new (options: PromOptions) => { inc(labels: object, value: number): void };
  readonly Gauge: new (
    options: PromOptions,
  ) => {
    inc(labels: object, value: number): void;
    set(value: number): void;
  };
  readonly Histogram: new (
    options: PromOptions & { buckets: number[] },
  ) => { observe(labels: object, value: number): void };
  readonly register: PromRegistry;
}

interface PromOptions {
  name: string;
  help: string;
  labelNames: string[];
  registers: never[];
  aggregator?: 'sum' | 'max' | 'average';
  collect?: () => void;
}

/** A `Registry` of prom-client. */
export interface PromRegistry {
  removeSingleMetric(name: string): void;
}

const CLIENT = objectWith(
  ['Counter', 'Gauge', 'Histogram'],
  "the module, from import client from 'prom-client'",
);
const REGISTRY = objectWith(['removeSingleMetric'], 'a Registry of prom-client');

/** The units as they end a name. */
const UNITS: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' };

/**
 * Instruments of prom-client: `new Metrics(prometheus(client))`. Names are those of OpenTelemetry as its exporter for
 * Prometheus writes them: `http.server.request.duration` is `http_server_request_duration_seconds`.
 *
 * @param client the module: `import client from 'prom-client'`
 * @param registry where the metrics are registered; that of the module by default
 * @throws ConfigError if one of them is something else
 */
export function prometheus(client: PromClient, registry: PromRegistry = client?.register): Meters {
  checkValue('prometheus', 'the client', client, CLIENT);
  checkValue('prometheus', 'the registry', registry, REGISTRY);
  const made: string[] = [];
  const optionsOf = ({ name, description, unit, labels }: Instrument, end = ''): PromOptions => {
    const full = `${underscored(name)}${UNITS[unit] ?? ''}${end}`;
    made.push(full);
    return {
      name: full,
      help: description,
      labelNames: labels.map(underscored),
      registers: [registry as never],
    };
  };
  return {
    counter(of) {
      const counter = new client.Counter(optionsOf(of, '_total'));
      return (value, labels) => counter.inc(renamed(labels), value);
    },
    upDownCounter(of) {
      const gauge = new client.Gauge(optionsOf(of));
      return (value, labels) => gauge.inc(renamed(labels), value);
    },
    histogram(of, buckets): Note {
      const histogram = new client.Histogram({ ...optionsOf(of), buckets: [...buckets] });
      return (value, labels) => histogram.observe(renamed(labels), value);
    },
    gauge(of, read) {
      const { together = 'sum' } = of;
      const collect = (): void => gauge.set(read());
      const gauge = new client.Gauge({ ...optionsOf(of), aggregator: together, collect });
    },
    close() {
      for (const name of made.splice(0)) registry.removeSingleMetric(name);
    },
  };
}

const underscoredNames = new Map<string, string>();

/** The names are those of instruments and labels, of which there are few. */
function underscored(name: string): string {
  let known = underscoredNames.get(name);
  if (known === undefined) {
    known = name.replaceAll('.', '_');
    underscoredNames.set(name, known);
  }
  return known;
}

function renamed(labels: Labels): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name in labels) named[underscored(name)] = labels[name] as string;
  return named;
}
