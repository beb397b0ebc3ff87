// Calls of middleware, of metrics and of tracing.
import * as otel from '@opentelemetry/api';
import client from 'prom-client';
import { MetricsServer, runWorkers } from '../../cluster/index.js';
import { Metrics, openTelemetry, prometheus } from '../../metrics/index.js';
import { Compression, compression } from '../../middleware/compression/index.js';
import {
  Cors,
  cors,
  fromConnect,
  IpFilter,
  RateLimiter,
  RateLimitKey,
  RequestId,
  rateLimiter,
  requestId,
  SecurityHeaders,
  securityHeaders,
  serverHeaders,
} from '../../middleware/index.js';
import { Traces } from '../../opentelemetry/index.js';
import { consoleSubscriber, pinoSubscriber, setLogLevel, subscribe } from '../../tracing/index.js';
import { type Call, OPTIONAL } from './call.js';

export const middleware: readonly Call[] = [
  ['cors', (options) => cors(options), OPTIONAL],
  ['prometheus', (client) => prometheus(client)],
  ['prometheus: registry', (registry) => prometheus(client, registry), ['undefined']],
  ['openTelemetry', (meter) => openTelemetry(meter)],
  ['new Metrics', (meters) => new Metrics(meters)],
  ['new MetricsServer', (client) => new MetricsServer(client, undefined)],
  ['new MetricsServer: address', (address) => new MetricsServer(client, address), ['undefined']],
  ['new MetricsServer: options', (options) => new MetricsServer(client, undefined, options), OPTIONAL],
  ['runWorkers', (count) => runWorkers(count, async () => {})],
  ['runWorkers: program', (program) => runWorkers(1, program), ['function']],
  ['runWorkers: options', (options) => runWorkers(1, async () => {}, options), OPTIONAL],
  ['new Traces', (api) => new Traces(api)],
  ['Traces.run', (name) => new Traces(otel).run(name, {}, async () => {}), ['text']],
  ['Traces.run: options', (options) => new Traces(otel).run('job', options, async () => {}), OPTIONAL],
  ['Traces.run: work', (work) => new Traces(otel).run('job', {}, work), ['function']],
  ['Cors.allowOrigin', (origin) => new Cors().allowOrigin(origin).build(), ['function']],
  ['Cors.allowMethods', (methods) => new Cors().allowMethods(methods).build(), ['undefined']],
  ['requestId', (options) => requestId(options), OPTIONAL],
  ['new RequestId', (options) => new RequestId(options), OPTIONAL],
  ['RequestId.header', (name) => new RequestId().header(name)],
  ['rateLimiter', (options) => rateLimiter(options), OPTIONAL],
  ['new RateLimiter: max', (max) => new RateLimiter(max, 60)],
  ['new RateLimiter: window', (seconds) => new RateLimiter(1, seconds)],
  ['RateLimiter.key', (key) => new RateLimiter(1, 60).key(key), ['function']],
  ['RateLimiter.store', (store) => new RateLimiter(1, 60).store(store)],
  ['RateLimiter.name', (name) => new RateLimiter(1, 60).name(name)],
  ['RateLimitKey.header', (name) => RateLimitKey.header(name)],
  ['securityHeaders', (options) => securityHeaders(options), OPTIONAL],
  ['SecurityHeaders.csp', (policy) => new SecurityHeaders().csp(policy).build(), ['undefined']],
  ['serverHeaders', (name) => serverHeaders(name, false)],
  ['serverHeaders: version', (version) => serverHeaders('edge', version)],
  ['IpFilter.allow', (networks) => IpFilter.allow(networks)],
  ['IpFilter.deny', (networks) => IpFilter.deny(networks)],
  ['fromConnect', (value) => fromConnect(value), ['function']],
  ['compression', (options) => compression(options), OPTIONAL],
  ['Compression.minSize', (bytes) => new Compression().minSize(bytes).build(), ['undefined']],
  ['setLogLevel', (level) => setLogLevel(level)],
  ['consoleSubscriber', (options) => consoleSubscriber(options), OPTIONAL],
  ['pinoSubscriber', (logger) => pinoSubscriber(logger)],
  ['subscribe', (subscriber) => subscribe(subscriber), ['function']],
  ['subscribe: options', (options) => subscribe(() => {}, options), OPTIONAL],
  ['subscribe: redact', (redact) => subscribe(() => {}, { redact }), ['undefined']],
];
