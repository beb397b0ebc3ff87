// What can be broken on purpose, to see that the checks see it: an acknowledged write is taken out of the database, a
// listener does not take an event, or a process leaks.
export const SABOTAGES = ['write', 'event', 'descriptors', 'listeners', 'timers', 'memory'] as const;
