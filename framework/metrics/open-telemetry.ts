// Metrics: instruments of a meter of OpenTelemetry, whose SDK exports them.
import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import type { Instrument, Meters, Note } from './meters.js';

/** What is used of a meter of `@opentelemetry/api`. */
export interface OtelMeter {
  createCounter(name: string, options: OtelOptions): { add(value: number, attributes: OtelAttributes): void };
  createUpDownCounter(
    name: string,
    options: OtelOptions,
  ): { add(value: number, attributes: OtelAttributes): void };
  createHistogram(
    name: string,
    options: OtelOptions,
  ): { record(value: number, attributes: OtelAttributes): void };
  createObservableGauge(name: string, options: OtelOptions): OtelGauge;
}

interface OtelOptions {
  description: string;
  unit: string;
  advice?: { explicitBucketBoundaries?: number[] };
}

type OtelAttributes = Record<string, string>;
type OtelObserve = (result: { observe(value: number): void }) => void;

interface OtelGauge {
  addCallback(observe: OtelObserve): void;
  removeCallback(observe: OtelObserve): void;
}

const METER = objectWith(
  ['createCounter', 'createUpDownCounter', 'createHistogram', 'createObservableGauge'],
  "a meter of OpenTelemetry, such as metrics.getMeter('app')",
);

/**
 * Instruments of a meter of OpenTelemetry: `new Metrics(openTelemetry(metrics.getMeter('app')))`, with the names of the
 * semantic conventions for HTTP, RPC and databases.
 *
 * @throws ConfigError if it is not a meter
 */
export function openTelemetry(meter: OtelMeter): Meters {
  checkValue('openTelemetry', 'the meter', meter, METER);
  const endings: (() => void)[] = [];
  const optionsOf = ({ description, unit }: Instrument): OtelOptions => ({ description, unit });
  return {
    counter(of) {
      const counter = meter.createCounter(of.name, optionsOf(of));
      return (value, labels) => counter.add(value, { ...labels });
    },
    upDownCounter(of) {
      const counter = meter.createUpDownCounter(of.name, optionsOf(of));
      return (value, labels) => counter.add(value, { ...labels });
    },
    histogram(of, buckets): Note {
      const advice = { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(of.name, { ...optionsOf(of), advice });
      return (value, labels) => histogram.record(value, { ...labels });
    },
    gauge(of, read) {
      const gauge = meter.createObservableGauge(of.name, optionsOf(of));
      const observe: OtelObserve = (result) => result.observe(read());
      gauge.addCallback(observe);
      endings.push(() => gauge.removeCallback(observe));
    },
    close() {
      for (const end of endings.splice(0)) end();
    },
  };
}
