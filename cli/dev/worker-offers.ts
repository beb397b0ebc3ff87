// Sockets that the supervisor offers: not a byte is read from one before it is certain that it stays here.
import net from 'node:net';

export interface Offers {
  hold(id: number, handle: unknown): void;
  /** The socket, which reads again; undefined where the client went while it travelled. */
  take(id: number): net.Socket | undefined;
  /** Another process answers: this one only forgets its share of the connection, which stays open. */
  drop(id: number): void;
}

interface Handle {
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

export function createOffers(): Offers {
  const held = new Map<number, net.Socket>();

  function release(id: number): net.Socket | undefined {
    const socket = held.get(id);
    held.delete(id);
    return socket;
  }

  return {
    hold(id, handle) {
      if (!(handle instanceof net.Socket)) return;
      held.set(id, handle);
      handle.on('error', () => handle.destroy());
      // Node starts to read a received socket at once, and has no public way to stop that for good.
      const inner = handleOf(handle);
      inner?.readStop();
      if (inner) inner.reading = false;
    },
    take(id) {
      const socket = release(id);
      const inner = socket && handleOf(socket);
      if (inner) {
        inner.reading = true;
        inner.readStart();
      }
      return socket;
    },
    drop: (id) => void release(id)?.destroy(),
  };
}

function handleOf(socket: net.Socket): Handle | null {
  return (socket as unknown as { _handle: Handle | null })._handle;
}
