// A part of both pages: times and sizes as people read them.

/** Such as `0.4 ms`, `12 ms` or `1.25 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(2)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

/** Such as `512 B`, `1.4 kB` or `3.0 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The time of day, such as `14:02:11`. */
export function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}
