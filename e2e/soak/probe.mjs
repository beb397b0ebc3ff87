// Loaded into each process of the app before its code: reads what it holds, moves its clock, and leaks on demand.
// A socket of the file system takes a line and answers one: no port, signal or environment of the app changes.
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { openSync, readdirSync } from 'node:fs';
import { createServer, Server } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** The wall clock jumps; timers and `performance.now()` go on, as on a machine whose time is set. */
let offsetMs = 0;
const RealDate = Date;
class JumpingDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offsetMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
  static [Symbol.hasInstance](value) {
    return RealDate[Symbol.hasInstance].call(RealDate, value);
  }
}
Object.defineProperty(JumpingDate, 'name', { value: 'Date' });
globalThis.Date = JumpingDate;

let warnings = 0;
process.on('warning', ({ name }) => {
  if (name === 'MaxListenersExceededWarning') warnings += 1;
});

const leaked = [];
const leaks = {
  descriptors: () => openSync('/dev/null'),
  listeners: () => process.on('soak', () => {}),
  timers: () => setTimeout(() => {}, 86_400_000),
  memory: () => leaked.push('x'.repeat(1_000) + leaked.length, new EventEmitter(), new Array(20_000).fill(0)),
};

const commands = {
  read() {
    collect();
    const { heapUsed: heap, rss } = process.memoryUsage();
    const resources = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const descriptors = readdirSync('/proc/self/fd').length;
    return { heap, rss, descriptors, listeners, warnings, resources };
  },
  clock(ms) {
    offsetMs = Number(ms);
    return {};
  },
  leak(what) {
    for (let i = 0; i < 100; i++) leaks[what]();
    return {};
  },
};

const probe = createServer((socket) => {
  socket.setEncoding('utf8').once('data', (line) => {
    const [name, value] = line.trim().split(' ');
    socket.end(JSON.stringify(commands[name](value)));
  });
  socket.on('error', () => socket.destroy());
});
function open() {
  // Workers of a cluster would share it otherwise.
  probe.listen({ path: join(process.env.FW_SOAK_SOCKETS, `${process.pid}.sock`), exclusive: true }).unref();
}

// A worker that does not listen yet has not warmed up, and ends if the database is away: it can be asked from then on.
if (cluster.isPrimary) open();
else {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...given) {
    Server.prototype.listen = listen;
    return this.once('listening', open).listen(...given);
  };
}
