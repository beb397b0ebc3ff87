// Whether the old process of the app ends before the new one starts: by fw.toml, or because the app needs it.
import { isOfHeld } from '../../process/held.js';
import type { AppError } from '../../process/messages.js';

/** The notice that is printed once. */
export const EXCLUSIVE_NOTICE =
  'the new version could start only after the old one had ended, and so fw dev ends it first from now on; exclusive = true in [dev] of fw.toml does so from the first save';

export class Exclusive {
  readonly #isSet: () => boolean;
  /** Set for one more try. */
  #isTried = false;
  #isNeeded = false;

  /** @param isSet the setting, as it is now */
  constructor(isSet: () => boolean) {
    this.#isSet = isSet;
  }

  get isOn(): boolean {
    return this.#isTried || this.#isNeeded || this.#isSet();
  }

  /**
   * True if the app may have failed because an older process of it lives; the next start is without that.
   * @param isHeld whether the app has printed so before it ended itself without an error
   */
  tryAfter(error: AppError | undefined, isHeld: boolean): boolean {
    this.#isTried = error ? isOfHeld(error) : isHeld;
    return this.#isTried;
  }

  /** The app has started. @returns whether this is what the last try was for, for the first time */
  started(): boolean {
    const isNews = this.#isTried && !this.#isNeeded;
    this.#isNeeded ||= this.#isTried;
    this.#isTried = false;
    return isNews;
  }

  /** The app has not started, whether or not an older process lived. */
  failed(): void {
    this.#isTried = false;
  }
}
