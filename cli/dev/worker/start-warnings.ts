// Warnings of the app's start that a contract would spare: they are printed once none is being generated any more.
import { subscribe } from 'node:diagnostics_channel';

/** Those that `fw` publishes on the channel `fw:unchecked`, each as a function that prints it. */
export class StartWarnings {
  readonly #held: (() => void)[] = [];
  #isCurrent = false;

  hold(): void {
    subscribe('fw:unchecked', (message) => {
      if (typeof message !== 'function') return;
      const print = message as () => void;
      if (this.#isCurrent) print();
      else this.#held.push(print);
    });
  }

  release(): void {
    this.#isCurrent = true;
    for (const print of this.#held.splice(0)) print();
  }
}
