// Warnings of the app's start that a contract would spare: they are told once none is being generated any more.
import { subscribe } from 'node:diagnostics_channel';

/** Those that `fw` publishes on the channel `fw:unchecked`, each as a function that tells it. */
export class StartWarnings {
  readonly #held: (() => void)[] = [];
  #isCurrent = false;

  hold(): void {
    subscribe('fw:unchecked', (message) => {
      if (typeof message !== 'function') return;
      const tell = message as () => void;
      if (this.#isCurrent) tell();
      else this.#held.push(tell);
    });
  }

  tell(): void {
    this.#isCurrent = true;
    for (const tell of this.#held.splice(0)) tell();
  }
}
