// Tracing: whether a diagnostics channel has subscribers, on every runtime.

/** What is asked of a channel, or of a tracing channel. */
interface Heard {
  readonly hasSubscribers: boolean;
}

/** On Workers, `hasSubscribers` is a method instead of a boolean, and as a value always true. */
export function isHeard(channel: Heard): boolean {
  const heard: boolean | ((this: Heard) => boolean) = channel.hasSubscribers as boolean;
  return heard === true || (heard !== false && (heard as (this: Heard) => boolean).call(channel));
}
