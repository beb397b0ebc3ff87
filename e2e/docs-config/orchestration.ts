// What Kubernetes, Compose and Render refuse, or only notice when the app does not answer.
import { Cron } from 'croner';
import { builtFilesOf, isBuilt, liveness, port, readiness, variables } from './app-facts.js';
import type { Page } from './snippets.js';

/** A parsed document, of which only what is named is looked at. */
// biome-ignore lint/suspicious/noExplicitAny: it is checked by what is read of it, and a wrong form throws
export type Loose = any;

export function deploymentFaults({ apiVersion, spec }: Loose): string[] {
  const faults = apiVersion === 'apps/v1' ? [] : [`apiVersion is ${apiVersion}`];
  const { metadata, spec: pod } = spec.template;
  for (const [label, value] of Object.entries(spec.selector.matchLabels)) {
    if (metadata.labels[label] !== value)
      faults.push(`the selector asks for ${label}=${value}, which no pod has`);
  }
  const [container] = pod.containers;
  const ports = container.ports.map(({ containerPort }: Loose) => containerPort);
  if (!ports.includes(port)) faults.push(`the app listens on ${port}, and the container has ${ports}`);
  const probes = { readinessProbe: readiness, livenessProbe: liveness };
  for (const [probe, path] of Object.entries(probes)) {
    const { httpGet } = container[probe];
    if (httpGet.path !== path) faults.push(`${probe} asks for ${httpGet.path} in the place of ${path}`);
    if (!ports.includes(httpGet.port)) faults.push(`${probe} asks at ${httpGet.port}`);
  }
  faults.push(
    ...environmentFaults(
      Object.fromEntries((container.env ?? []).map(({ name, value }: Loose) => [name, value])),
    ),
  );
  const drain = container.env?.find(({ name }: Loose) => name === 'DRAIN_SECONDS')?.value ?? 0;
  if (!(pod.terminationGracePeriodSeconds > Number(drain) + 30))
    faults.push('it is killed before it has drained');
  return faults;
}

export function cronJobFaults({ apiVersion, spec }: Loose, page: Page): string[] {
  const faults = apiVersion === 'batch/v1' ? [] : [`apiVersion is ${apiVersion}`];
  // Throws if it is not an expression of cron, or not a time zone.
  new Cron(spec.schedule, { paused: true, timezone: spec.timeZone }).stop();
  if (spec.schedule.split(' ').length !== 5) faults.push('Kubernetes knows no seconds');
  const pod = spec.jobTemplate.spec.template.spec;
  if (!['Never', 'OnFailure'].includes(pod.restartPolicy))
    faults.push('a Job needs restartPolicy Never or OnFailure');
  for (const { command } of pod.containers) faults.push(...commandFaults(command, page));
  return faults;
}

export function composeFaults(file: Loose, page: Page): string[] {
  const faults: string[] = [];
  const { services, volumes = {}, secrets = {} } = file;
  for (const [name, service] of Object.entries<Loose>(services)) {
    const fault = (text: string) => faults.push(`the service ${name} ${text}`);
    if ((service.image === undefined) === (service.build === undefined))
      fault('needs either an image or a build');
    if (service.image !== undefined && !/:[\w.-]+$/.test(service.image))
      fault('has an image without a version');
    for (const [other, { condition }] of Object.entries<Loose>(service.depends_on ?? {})) {
      const needed = services[other];
      if (needed === undefined) fault(`depends on ${other}, which is not there`);
      else if (condition === 'service_healthy' && !needed.healthcheck)
        fault(`waits for ${other}, which has no health check`);
      else if (condition === 'service_completed_successfully' && needed.restart)
        fault(`waits for ${other}, which never ends`);
    }
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(':');
      if (!/^[./]/.test(source) && !(source in volumes))
        fault(`uses the volume ${source}, which is not declared`);
    }
    for (const secret of service.secrets ?? [])
      if (!(secret in secrets)) fault(`uses the secret ${secret}, which is not declared`);
    for (const mapping of service.ports ?? []) {
      if (!/^(?:[\d.]+:)?\d+:\d+(?:\/udp)?$/.test(mapping)) fault(`has the ports ${mapping}`);
    }
    // Those of other programs are their own.
    if (name === 'app' || service.build) faults.push(...environmentFaults(service.environment ?? {}));
    faults.push(...commandFaults(service.command ?? [], page));
  }
  return faults;
}

export function renderFaults({ services, databases }: Loose, page: Page): string[] {
  const faults: string[] = [];
  const known = databases.map(({ name }: Loose) => name);
  for (const { healthCheckPath, preDeployCommand, envVars } of services) {
    if (healthCheckPath !== readiness)
      faults.push(`it asks for ${healthCheckPath} in the place of ${readiness}`);
    faults.push(...commandFaults(preDeployCommand.split(' '), page));
    for (const { key, fromDatabase } of envVars) {
      faults.push(...environmentFaults({ [key]: '' }));
      if (fromDatabase && !known.includes(fromDatabase.name))
        faults.push(`there is no database ${fromDatabase.name}`);
    }
  }
  return faults;
}

/** A variable may be named with `_FILE`, for what is in a file. */
export function environmentFaults(environment: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(environment)
    .filter((name) => !variables.has(name.replace(/_FILE$/, '')))
    .map((name) => `no template knows the variable ${name}`);
}

/** What the app is started with must be built. */
export function commandFaults(command: readonly string[], page: Page): string[] {
  return builtFilesOf(command.join(' '))
    .filter((file) => !isBuilt(file, page))
    .map((file) => `${command.join(' ')}: there is no ${file}`);
}
