// Types as they are compared in tests of inference.

/** Types without descriptions, the members of unions in one order. */
export function plain(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(plain);
  if (typeof type !== 'object' || type === null) return type;
  const entries = Object.entries(type)
    .filter(([key]) => key !== 'description')
    .map(([key, value]): [string, unknown] => {
      const inner = plain(value);
      const isSet = key === 'members' || key === 'fields';
      return [key, isSet ? (inner as unknown[]).toSorted(byText) : inner];
    });
  return Object.fromEntries(entries);
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
