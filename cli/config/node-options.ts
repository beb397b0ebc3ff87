// Reads what the variable NODE_OPTIONS means for `fw`, as Node.js reads it.

/** The words of the variable: in double quotes a word may have spaces, and a backslash takes the next character as it is. */
export function nodeOptionWords(text = ''): string[] {
  const words = text.match(/(?:"(?:\\[\s\S]|[^"\\])*"?|[^\s"])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:\\[\s\S]|[^"\\])*)"?/g, (_, quoted: string) => quoted.replace(/\\([\s\S])/g, '$1')),
  );
}

/** The conditions of exports that it adds: `--conditions=name`, `--conditions name`, `-C name`. */
export function nodeConditions(text: string | undefined): string[] {
  const words = nodeOptionWords(text);
  return words.flatMap((word, index) => {
    const isAlone = word === '--conditions' || word === '-C';
    const condition = isAlone ? words[index + 1] : /^--conditions=(.*)$/s.exec(word)?.[1];
    return condition ? [condition] : [];
  });
}

const INSPECTOR_FLAG = /^--(?:inspect|debug)(?:[-=]|$)/;
/** The flags of them whose value may be the next word. */
const PORT_FLAG = /^--(?:inspect|debug)-port$/;

/** Its flags that let a debugger attach. */
export function inspectorFlags(text: string | undefined): string[] {
  return nodeOptionWords(text).filter((word) => INSPECTOR_FLAG.test(word));
}

/**
 * Leaves these flags out of the variables for child processes. The port is that of the process which has read them
 * already: each further one would fail to open it, and say so.
 */
export function withoutInspector(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: text, ...others } = env;
  if (inspectorFlags(text).length === 0) return env;
  const kept = nodeOptionWords(text).filter(
    (word, index, words) => !INSPECTOR_FLAG.test(word) && !PORT_FLAG.test(words[index - 1] ?? ''),
  );
  return kept.length === 0 ? others : { ...others, NODE_OPTIONS: kept.map(quoted).join(' ') };
}

function quoted(word: string): string {
  return /[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word;
}
