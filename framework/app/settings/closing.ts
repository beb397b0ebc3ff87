// What an App does when its servers have closed: runs the callbacks of `onClose`.
import { reportError } from '../../tracing/error-channel.js';

/** Called when the servers of an App have closed. */
export type CloseCallback = () => unknown;

export class Closing {
  readonly #callbacks: CloseCallback[] = [];
  #servers = 0;

  add(callback: CloseCallback): void {
    this.#callbacks.push(callback);
  }

  /** Takes over the callbacks of a mounted App, which has no servers of its own. */
  adopt(mounted: Closing): void {
    this.#callbacks.push(...mounted.#callbacks.splice(0));
  }

  /** A server of the App has started. */
  serverStarted(): void {
    this.#servers++;
  }

  /** A server has drained. After the last one the callbacks run, the last registered first, and each once. */
  async serverClosed(): Promise<void> {
    this.#servers--;
    while (this.#servers === 0) {
      const callback = this.#callbacks.pop();
      if (callback === undefined) return;
      try {
        await callback();
      } catch (error) {
        reportError({ error, status: 500, method: 'onClose', path: '' });
      }
    }
  }
}
