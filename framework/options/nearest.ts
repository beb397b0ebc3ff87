// Finds the known word that was most likely meant by a mistyped one.

/**
 * The candidate that `word` begins, else the first one of which it is a part, such as `port` of `backend_port`, else the
 * nearest one; undefined if none is near enough to be suggested.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const begun = candidates.filter((candidate) => word.length > 1 && candidate.startsWith(word));
  if (begun.length === 1) return begun[0];
  const whole = candidates.find((candidate) => partsOf(candidate).includes(word.toLowerCase()));
  if (whole !== undefined) return whole;
  let best: string | undefined;
  // Half of a short word would be too much: `init` is not `lint`.
  let bestDistance = Math.min(3, Math.max(1, Math.floor(word.length * 0.4))) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? begun[0] ?? longestBeginning(word, candidates);
}

/** The words of a name such as `backend_port`, `--allowed-host` or `maxAge`; none if it is a single one. */
function partsOf(name: string): string[] {
  const parts = name.split(/[-_]+|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '');
  return parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [];
}

/** The longest candidate that begins the word: `header` for `headerName`. */
function longestBeginning(word: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter((candidate) => candidate.length > 2 && word.startsWith(candidate));
  return found.sort((a, b) => b.length - a.length)[0];
}

/**
 * Optimal string alignment: insertions, deletions, substitutions and swapped neighbours cost one each. Words whose
 * lengths differ by more than 3 are not compared.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const options = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1)];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        options.push(at(beforeLast, j - 2) + 1);
      row.push(Math.min(...options));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
