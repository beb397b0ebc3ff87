// The package ships no types for this file.
declare module 'launch-editor/guess.js' {
  export default function guessEditor(specified?: string): (string | null)[];
}
