// The tutorial as a reader follows it: which files to write, which changes to make and which commands to run, in order.
export type Action =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'patch'; readonly text: string }
  /** A line for a shell. */
  | { readonly kind: 'run'; readonly command: string };

export interface TutorialStep {
  readonly title: string;
  readonly actions: readonly Action[];
}

const FENCE = /^(?:\*\*`([^`\n]+)`\*\*\n\n)?```(\w*)\n([\s\S]*?)^```$/gm;

/** The sections that begin with a number, with what they say to do. Blocks of other languages show what is printed. */
export function tutorialSteps(page: string): TutorialStep[] {
  const sections = page.split(/^## (?=\d+\. )/m).slice(1);
  return sections.map((section) => {
    const [title = '', text = ''] = splitOnce(section.split(/^## /m)[0] ?? '', '\n');
    return { title, actions: [...text.matchAll(FENCE)].flatMap(actionsOf) };
  });
}

function actionsOf([, file, language = '', text = '']: RegExpMatchArray): Action[] {
  if (file !== undefined) return [{ kind: 'write', file, text }];
  if (language === 'diff') return [{ kind: 'patch', text }];
  if (language !== 'sh') return [];
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((command) => ({ kind: 'run', command }));
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return [text.slice(0, index), text.slice(index + at.length)];
}
