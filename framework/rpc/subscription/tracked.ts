// RPC: an event of a subscription with its id.

/** An event and its id, made by `tracked`; clients get the value alone. */
export class Tracked<Value> {
  readonly id: string;
  readonly value: Value;

  private constructor(id: string, value: Value) {
    this.id = id;
    this.value = value;
  }

  /** @internal */
  static of<Value>(id: string, value: Value): Tracked<Value> {
    if (typeof id !== 'string') {
      throw new Error(`the id of an event is a string, got a ${typeof id}; give tracked(String(id), value)`);
    }
    if (id === '' || /[\0\r\n]/.test(id)) {
      const why = id === '' ? 'is empty' : 'has a line break or a NUL';
      throw new Error(
        `the id ${JSON.stringify(id)} of an event ${why}; give the position of the event, such as '42'`,
      );
    }
    return new Tracked(id, value);
  }
}

/**
 * Gives an event of a subscription an id. A client that lost its connection sends the last id that it received, which
 * the handler gets as `lastEventId`.
 *
 * ```ts
 * yield tracked(String(task.version), task);
 * ```
 *
 * @throws Error if the id is not a string, or is empty or has a line break or a NUL (WHATWG HTML, section 9.2.6)
 */
export function tracked<Value>(id: string, value: Value): Tracked<Value> {
  return Tracked.of(id, value);
}
