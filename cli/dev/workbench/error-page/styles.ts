// The style sheet of the page about an error, beside that of the overlay. It is constructed by the script, so that the
// policy of the page need not allow styles.

export const PAGE_STYLES = `
:host { position: static; display: block; min-height: 100vh; padding: 1px 16px; background: var(--code); z-index: auto; }
.panel { max-width: 1040px; }
.panel .code, .list-box, .fields { background: var(--code); }
.status { margin-inline-start: 12px; padding: 2px 8px; border: 1px solid var(--line); border-radius: 6px; }
.asked { font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.part { margin-top: 24px; }
.heading { margin-bottom: 6px; font-size: 16px; font-weight: 600; }
.advice { padding: 10px 14px; border-inline-start: 3px solid var(--link); background: var(--code); }
.advice > p + p { margin-top: 6px; }
.list-box { padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px; list-style: none;
  font: 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; }
.soft { color: var(--soft); }
.level-error, .level-fatal, .level-warn { color: var(--red); }
.fields { width: 100%; border-collapse: collapse; border: 1px solid var(--line); font-size: 13px; }
.fields th, .fields td { padding: 4px 12px; border-top: 1px solid var(--line); text-align: start; vertical-align: top;
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.fields th { width: 30%; color: var(--soft); font-weight: 400; }
.head { flex-wrap: wrap; gap: 8px 16px; }
.brand { white-space: nowrap; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
.action { padding: 8px 14px; border: 1px solid var(--line); border-radius: 6px; background: var(--back); color: var(--link);
  text-decoration: none; cursor: pointer; }
.action:focus-visible, .more:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.more { margin: 8px 0; color: var(--link); cursor: pointer; }
.said-here { color: var(--red); }
@media (max-width: 640px) { :host { padding: 0; } }
`;
