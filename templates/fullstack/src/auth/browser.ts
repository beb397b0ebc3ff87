// The name of a browser, by which people know it again in the list of their sessions.

const browsers: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** @param userAgent the field `User-Agent`, which clients make up as they like */
export function browserOf(userAgent = ''): string {
  const nameIn = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `A browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
