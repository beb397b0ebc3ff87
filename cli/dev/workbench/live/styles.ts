// The style sheet of the overlay, which is constructed by the script, so that no policy of the page forbids it.

export const STYLES = `
:host {
  all: initial;
  position: fixed;
  inset: 0;
  z-index: 2147483647;
  overflow: auto;
  background: rgb(0 0 0 / 55%);
  color-scheme: light dark;
  --back: #ffffff;
  --text: #1b1b1f;
  --soft: #5c5c66;
  --line: #dddde3;
  --code: #f5f5f8;
  --red: #b3261e;
  --mark: #ffd8d4;
  --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :host {
    --back: #1c1c21;
    --text: #ececf1;
    --soft: #a3a3af;
    --line: #3a3a43;
    --code: #131317;
    --red: #ff8a80;
    --mark: #6b2320;
    --link: #8ab4f8;
  }
}
:host(.edge) { inset: auto auto 12px 12px; max-width: calc(100vw - 24px); overflow: visible; background: none; }
* { box-sizing: border-box; margin: 0; padding: 0; font: inherit; color: inherit; }
.panel {
  max-width: 920px;
  margin: min(8vh, 64px) auto;
  padding: 20px 24px 24px;
  background: var(--back);
  color: var(--text);
  border-top: 4px solid var(--red);
  border-radius: 8px;
  font: 15px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
.panel:focus { outline: none; }
.head { display: flex; justify-content: space-between; align-items: center; }
.brand, .hint, .note { color: var(--soft); font-size: 14px; }
.title { margin: 4px 0 12px; color: var(--red); font-size: 20px; font-weight: 600; }
.problem { margin-bottom: 16px; }
.message { white-space: pre-wrap; font-weight: 600; }
.code { margin: 8px 0; border: 1px solid var(--line); border-radius: 6px; background: var(--code); }
.code > .link { display: block; padding: 6px 12px; border-bottom: 1px solid var(--line); }
.lines, .details, .frames { font: 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.lines { padding: 8px 12px; overflow-x: auto; overflow-wrap: normal; white-space: pre; tab-size: 2; }
.gutter { color: var(--soft); user-select: none; }
.here .gutter { color: var(--red); font-weight: 600; }
.mark { background: var(--mark); border-bottom: 2px solid var(--red); }
.frames { list-style: none; color: var(--soft); }
.details { white-space: pre-wrap; }
.place { border: 0; background: none; color: var(--link); text-align: start; text-decoration: underline; cursor: pointer; }
.said { margin-inline-start: 8px; color: var(--red); }
.close { width: 36px; height: 36px; border: 0; border-radius: 6px; background: none; font-size: 22px; cursor: pointer; }
.close:hover { background: var(--code); }
.place:focus-visible, .close:focus-visible, .lines:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.types {
  width: fit-content;
  max-width: min(720px, 100%);
  background: var(--back);
  color: var(--text);
  border: 1px solid var(--line);
  border-inline-start: 4px solid var(--red);
  border-radius: 8px;
  box-shadow: 0 4px 24px rgb(0 0 0 / 25%);
  font: 14px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
.summary { padding: 8px 14px; color: var(--red); font-weight: 600; cursor: pointer; }
.summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 6px; }
.list { max-height: 60vh; overflow: auto; padding: 8px 14px; border-top: 1px solid var(--line); }
@media (max-width: 640px) {
  .panel { margin: 0; min-height: 100%; border-radius: 0; padding: 16px; }
}
`;
