// Interop: the events of `req` and `res`, whose listeners belong to adapted middleware.
import { EventEmitter } from 'node:events';
import { isPromise } from '../../promises.js';

/** Nobody could catch what listeners and callbacks throw, which would end the process. */
export class ConnectEmitter extends EventEmitter {
  readonly #report: (error: unknown) => void;

  /** @param report called with what they throw, or reject with */
  constructor(report: (error: unknown) => void) {
    super();
    this.#report = report;
  }

  /** Calls all listeners of an event of the server, also behind one that throws. @internal */
  notify(event: string): void {
    for (const listener of this.rawListeners(event)) this.runApart(() => Reflect.apply(listener, this, []));
  }

  /** @internal */
  runApart(callback: () => unknown): void {
    try {
      const result = callback();
      if (isPromise(result)) result.then(undefined, this.#report);
    } catch (error) {
      this.#report(error);
    }
  }
}
