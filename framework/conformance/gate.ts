// For tests that hold a handler until they let it go.

/** A promise with its resolver, to hold a handler until a test lets it go. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
