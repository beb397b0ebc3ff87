// YAML, TOML and JSON of the documentation: they parse, and have what the program that reads them needs.

import * as client from 'prom-client';
import { Registry } from 'prom-client';
import { parse as parseToml } from 'smol-toml';
import ts from 'typescript-6';
import { parseDocument } from 'yaml';
import { parseSettings } from '../../cli/config/parse.js';
import { Metrics, prometheus } from '../../framework/metrics/index.js';
import { port, readiness } from './app-facts.js';
import {
  commandFaults,
  composeFaults,
  cronJobFaults,
  deploymentFaults,
  environmentFaults,
  type Loose,
  renderFaults,
} from './orchestration.js';
import type { Page, Snippet } from './snippets.js';

export function yamlFaults({ text, page }: Snippet): string[] {
  const document = parseDocument(text, { merge: true });
  const unclear = [...document.errors, ...document.warnings].map(({ message }) => message);
  if (unclear.length > 0) return unclear;
  const content = document.toJS() as Loose;
  if (content.kind === 'Deployment') return deploymentFaults(content);
  if (content.kind === 'CronJob') return cronJobFaults(content, page);
  if (content.databases) return renderFaults(content, page);
  if (content.services) return composeFaults(content, page);
  if (content.groups) return alertFaults(content);
  if (content.scrape_configs) return scrapeFaults(content, page);
  if (content.receivers) return collectorFaults(content);
  if (content.AWSTemplateFormatVersion) return lambdaFaults(content, page);
  return ['it is not known which program reads it; add a check'];
}

export function tomlFaults({ text, page }: Snippet): string[] {
  if (text.startsWith('[generate]')) {
    // Throws for what `fw` would refuse.
    parseSettings(text, 'fw.toml');
    return [];
  }
  const { app, deploy, http_service: service, kill_signal, kill_timeout } = parseToml(text) as Loose;
  if (typeof app !== 'string') return ['it is not known which program reads it; add a check'];
  const faults = commandFaults(deploy.release_command.split(' '), page);
  if (service.internal_port !== port) faults.push(`the app listens on ${port}`);
  for (const { path } of service.checks)
    if (path !== readiness) faults.push(`it asks for ${path} in the place of ${readiness}`);
  if (kill_signal !== 'SIGTERM') faults.push('the app drains on SIGTERM');
  if (!(Number.parseInt(kill_timeout, 10) > 35)) faults.push('it is killed before it has drained');
  return faults;
}

export function jsonFaults({ language, text, page }: Snippet): string[] {
  const { config: content, error } =
    language === 'jsonc'
      ? (ts.parseConfigFileTextToJson('wrangler.jsonc', text) as {
          config?: Loose;
          error?: { messageText: unknown };
        })
      : { config: JSON.parse(text), error: undefined };
  if (error !== undefined) return [String(error.messageText)];
  if (content.compatibility_date) return workerFaults(content, page);
  if (content.build) return railwayFaults(content, page);
  if (content.tasks) return denoFaults(content);
  if (content.exports) return packageFaults(content);
  return ['it is not known which program reads it; add a check'];
}

/** Rules of Prometheus ask for metrics that there are. */
function alertFaults({ groups }: Loose): string[] {
  const registry = new Registry();
  const metrics = new Metrics(prometheus(client, registry));
  const known = new Set(['up']);
  for (const { name } of registry.getMetricsAsArray()) {
    for (const suffix of ['', '_bucket', '_count', '_sum']) known.add(name + suffix);
  }
  metrics.close();
  const faults: string[] = [];
  for (const { alert, expr, for: duration } of groups.flatMap(({ rules }: Loose) => rules)) {
    if (!/^\d+[smh]$/.test(duration)) faults.push(`${alert}: for ${duration}`);
    const named = [...expr.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+(?=[{[)])|\bup\b/g)].map(([name]) => name);
    const metricNames = named.filter((name) => name !== 'histogram_quantile');
    if (metricNames.length === 0) faults.push(`${alert} asks for nothing`);
    faults.push(
      ...metricNames.filter((name) => !known.has(name)).map((name) => `${alert}: there is no metric ${name}`),
    );
  }
  return faults;
}

/** What is scraped is what the page serves metrics at; its alerts go by the name of the job. */
function scrapeFaults({ scrape_configs: jobs }: Loose, { text }: Page): string[] {
  const targets = jobs.flatMap((job: Loose) => job.static_configs.flatMap((one: Loose) => one.targets));
  return [
    ...jobs
      .filter(({ job_name: name }: Loose) => !text.includes(`job="${name}"`))
      .map(({ job_name: name }: Loose) => `no alert asks for the job ${name}`),
    ...targets
      .filter((target: string) => !text.includes(`METRICS_ADDRESS ?? '${target}'`))
      .map((target: string) => `nothing listens on ${target}`),
  ];
}

/** A pipeline of the collector uses what is declared, and all of it. */
function collectorFaults({ service, ...declared }: Loose): string[] {
  const faults: string[] = [];
  for (const part of ['receivers', 'processors', 'exporters']) {
    const used = Object.values<Loose>(service.pipelines).flatMap((pipeline) => pipeline[part]);
    const there = Object.keys(declared[part]);
    faults.push(...used.filter((name) => !there.includes(name)).map((name) => `${part} has no ${name}`));
    faults.push(...there.filter((name) => !used.includes(name)).map((name) => `no pipeline uses ${name}`));
  }
  for (const { processors } of Object.values<Loose>(service.pipelines)) {
    if (processors[0] !== 'memory_limiter') faults.push('memory_limiter must be the first processor');
    if (processors.at(-1) !== 'batch') faults.push('batch must be the last processor');
  }
  return faults;
}

/** The function is what the page bundles. */
function lambdaFaults({ Transform, Resources, Outputs }: Loose, page: Page): string[] {
  const faults = Transform === 'AWS::Serverless-2016-10-31' ? [] : [`Transform is ${Transform}`];
  for (const [name, { Type, Properties }] of Object.entries<Loose>(Resources)) {
    if (Type !== 'AWS::Serverless::Function')
      faults.push(`${name} is a ${Type}, for which there is no check`);
    const [file, exported] = Properties.Handler.split('.');
    if (!page.text.includes(`--outfile=${Properties.CodeUri}${file}.mjs`))
      faults.push(`nothing writes ${file}.mjs`);
    if (!page.text.includes(`export const ${exported} = `)) faults.push(`nothing exports ${exported}`);
    faults.push(...environmentFaults(Properties.Environment.Variables));
  }
  for (const { Value } of Object.values<Loose>(Outputs)) {
    // The Url is a resource that AWS makes of FunctionUrlConfig.
    const [resource] = Value['Fn::GetAtt'];
    const owner = Resources[resource.replace(/Url$/, '')];
    if (owner?.Properties.FunctionUrlConfig === undefined) faults.push(`there is no resource ${resource}`);
  }
  return faults;
}

/** A Worker names the flags that `fw` needs, and the bindings that the program of the page uses. */
function workerFaults(
  { main, compatibility_date, compatibility_flags, ...bindings }: Loose,
  page: Page,
): string[] {
  const faults: string[] = [];
  if (!page.text.includes(`// ${main}\n`)) faults.push(`the page has no ${main}`);
  if (!(compatibility_date >= '2024-09-23')) faults.push('fw needs a later compatibility_date');
  if (!compatibility_flags.includes('nodejs_compat')) faults.push('fw needs nodejs_compat');
  const secrets = [...page.text.matchAll(/secret put (\w+)/g)].map(([, name]) => name);
  const bound = [...bindings.kv_namespaces.map(({ binding }: Loose) => binding), ...secrets];
  const used = new Set([...page.text.matchAll(/\bplatform\.env\.(\w+)/g)].map(([, name]) => name));
  faults.push(...[...used].filter((name) => !bound.includes(name)).map((name) => `nothing binds ${name}`));
  faults.push(...bound.filter((name) => !used.has(name)).map((name) => `${name} is bound and not used`));
  return faults;
}

function railwayFaults({ build, deploy }: Loose, page: Page): string[] {
  const faults = build.builder === 'DOCKERFILE' ? [] : [`the builder is ${build.builder}`];
  if (deploy.healthcheckPath !== readiness) faults.push(`it asks for ${deploy.healthcheckPath}`);
  for (const command of deploy.preDeployCommand) faults.push(...commandFaults(command.split(' '), page));
  if (!(deploy.drainingSeconds > 35)) faults.push('it is killed before it has drained');
  return faults;
}

function denoFaults({ tasks }: Loose): string[] {
  return Object.entries<string>(tasks).flatMap(([name, command]) => [
    ...(command.includes('--allow-net') ? [] : [`${name} may not use the network`]),
    ...(command.startsWith('deno run') && !command.endsWith(' src/main.ts')
      ? [`${name} runs another file`]
      : []),
  ]);
}

/** Each file that a package exports is one that it has. */
function packageFaults({ exports, files }: Loose): string[] {
  return Object.values<Loose>(exports)
    .flatMap((targets) => Object.values<string>(targets))
    .filter((target) => !files.includes(target.replace('./', '')))
    .map((target) => `${target} is exported and not in files`);
}
