// Hostile dialogues: procedures and subscriptions in every mode, whose callbacks may misbehave.
import type { App } from '../../index.js';
import { RpcMode, RpcRegistry, tracked } from '../../rpc/index.js';
import { at } from './misbehaviour.js';
import { schema } from './trial-routes.js';
import { iterable } from './trial-streams.js';

async function* counted(): AsyncGenerator<number> {
  try {
    for (let count = 0; count < 4; count += 1) {
      yield await at('subscription producer', () => count);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    await at('subscription finally', () => {});
  }
}

function registry(mode: RpcMode): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .use((_, next) => at('middleware of a registry', () => next()))
    .queryWithTypes('ask', () => at('procedure', () => ({ fine: true })), '{}', '{ fine: boolean }')
    .mutationWithTypes('tell', () => at('procedure', () => 'told'), '{ text: string }', 'string')
    .mutationWithTypes(
      'upload',
      ({ files }: { files: File[] }) => at('procedure with files', () => files.length),
      '{ files: Array<File> }',
      'number',
    )
    .mutation(
      'parsed',
      { input: schema('schema of params'), output: schema('schema of a result') },
      (input) => input,
    )
    .subscriptionWithTypes('follow', () => at('subscription handler', counted), '{}', 'number')
    .subscriptionWithTypes('tracked', () => trackedEvents(), '{}', 'number')
    .subscriptionWithTypes('iterate', () => iterable('subscription', 1), '{}', 'number');
}

async function* trackedEvents() {
  for (let id = 0; id < 3; id += 1) yield tracked(String(id), await at('tracked producer', () => id));
}

/** The procedures that WebSockets give. */
export const overSockets: RpcRegistry = registry(RpcMode.JsonRpc);

/** Adds the registries to an App. */
export function addRpc(app: App): App {
  return app.mountRpc('/rpc', registry(RpcMode.JsonRpc)).mountRest('/rest', registry(RpcMode.Rest));
}
