// A part of both pages: icons of 16 by 16, drawn with lines of the colour of the text.
import type { JSX } from 'preact';

const paths = {
  back: 'M10 3 5 8l5 5',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'M6 3l5 5-5 5',
  clear: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 5.5h7v8H6zM3 10.5v-8h7',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13.5h10',
  edit: 'M3 13l.6-2.9L11 2.7l2.3 2.3-7.4 7.4z',
  key: 'M9.2 6.8A3 3 0 1 0 6.6 9.6L8 9.5v1.6h1.6v1.6H13v-2.2zM5.6 5.6h.01',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  open: 'M7 3.5H3.5v9h9V9M9.5 3h3.5v3.5M13 3 7.5 8.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  pin: 'M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5',
  play: 'M5 3l8 5-8 5z',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v2.6h-2.6',
  screen: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5',
  send: 'M2.5 8 13.5 3 10 13.5 7.5 9z',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  warning: 'M8 2.5 14 13.5H2zM8 6.5v3.2M8 11.6v.1',
} as const;

export type IconName = keyof typeof paths;

/** Says nothing to a screen reader: what is around it has a label. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon-image" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
