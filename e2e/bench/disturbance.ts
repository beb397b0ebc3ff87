// Whether other load disturbed a measurement: processor time that went to others than the server, the load generator
// and this process, from Linux' /proc.
import { readFileSync } from 'node:fs';

/** A reading to compare with a later one. */
export interface Reading {
  /** Of all processors, in ticks; the network's interrupts are left out, which are the load's own. */
  readonly all: number;
  /** Of the measured server, and of this process with its children that have ended. */
  readonly own: number;
  /** In milliseconds. */
  readonly at: number;
}

/** Of /proc, whatever the kernel's own ticks are. */
const TICKS_A_SECOND = 100;

/** Call it when no child other than the server runs. */
export function readProcessors(server: number | undefined): Reading {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(/ +/).slice(1).map(Number);
  return {
    all: user + nice + system + steal,
    own: ticksOf('self') + (server === undefined ? 0 : ticksOf(server)),
    at: performance.now(),
  };
}

/** Processors' worth of other load between two readings: 0.1 is a tenth of one processor. */
export function otherLoad(before: Reading, after: Reading): number {
  const seconds = (after.at - before.at) / 1000;
  const others = after.all - before.all - (after.own - before.own);
  return Math.max(0, others / TICKS_A_SECOND / seconds);
}

function ticksOf(pid: number | 'self'): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces and brackets; the fields after it are numbers: utime, stime, cutime, cstime.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
