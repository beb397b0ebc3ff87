// Types: finds the files in a type.
import { type Lookup, visitRefs } from './resolve.js';
import type { WireType } from './wire-type.js';

/** Whether the type, or a type that it refers to, has a file. */
export function hasFiles(type: WireType, lookup: Lookup): boolean {
  const open = [type];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (mentionsFile(next)) return true;
    visitRefs(next, (name) => {
      const target = seen.has(name) ? undefined : lookup(name);
      if (target !== undefined) open.push(target);
      seen.add(name);
    });
  }
  return false;
}

function mentionsFile(type: WireType): boolean {
  switch (type.kind) {
    case 'file':
      return true;
    case 'array':
      return mentionsFile(type.items);
    case 'tuple':
      return type.items.some(mentionsFile) || (type.rest !== undefined && mentionsFile(type.rest));
    case 'object':
      return (
        type.fields.some((field) => mentionsFile(field.type)) ||
        (type.values !== undefined && mentionsFile(type.values))
      );
    case 'union':
      return type.members.some(mentionsFile);
    default:
      return false;
  }
}
