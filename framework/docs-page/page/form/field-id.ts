// The page about an API: ids of fields, so that labels and messages belong to them.
import type { ValuePath } from '../../../api-model/value-path.js';

export function fieldId(path: ValuePath): string {
  return `field-${path.map((key) => encodeURIComponent(String(key))).join('.')}`;
}

export function issueId(path: ValuePath): string {
  return `${fieldId(path)}-issue`;
}
