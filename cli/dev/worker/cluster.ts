// Notices processes of `node:cluster` that listen: their connections would not come from `fw dev`.
import childProcess from 'node:child_process';

interface QueryServer {
  readonly act: 'queryServer';
  readonly port: number;
}

/**
 * Calls back in the primary process before it listens for a worker, with any way of scheduling. Patches
 * `ChildProcess.prototype.emit`, as packages may have loaded `node:cluster` already.
 */
export function watchCluster(onListen: (port: number) => void): void {
  const { prototype } = childProcess.ChildProcess;
  const { emit } = prototype;
  prototype.emit = function emitUnderDev(
    this: childProcess.ChildProcess,
    event: string | symbol,
    ...args: unknown[]
  ): boolean {
    if (event === 'internalMessage' && isQuery(args[0])) onListen(args[0].port);
    return (emit as (...args: unknown[]) => boolean).call(this, event, ...args);
  };
}

function isQuery(message: unknown): message is QueryServer {
  const { act, port } = (message ?? {}) as Partial<QueryServer>;
  return act === 'queryServer' && typeof port === 'number' && port > 0;
}

/** Why an app whose cluster listens cannot be served. */
export function clusterError(port: number): Error {
  const error = new Error(
    `fw dev serves one process, and cannot pass connections to the workers of node:cluster, which listen on port ${port}: ` +
      "start the server without cluster.fork() while NODE_ENV is 'development'",
  );
  error.name = 'ClusterError';
  delete error.stack;
  return error;
}
