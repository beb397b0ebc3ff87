// Sockets that the supervisor hands over: nothing is read from one before it is certain that it stays here.
import net from 'node:net';

export interface SocketHandover {
  hold(id: number, handle: unknown): void;
  /** The socket, which starts reading; undefined if the client disconnected while the socket was sent. */
  take(id: number): net.Socket | undefined;
  /** Closes the descriptor of this process; the connection stays open in the process that answers. */
  drop(id: number): void;
}

interface Handle {
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

export function createHandover(): SocketHandover {
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
      // Node starts reading a received socket at once, and has no public API to stop that permanently.
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
