// The heading of a page, which is also the title of the window. After a navigation it gets the focus, so that a screen
// reader says where the user is.
import { useEffect, useRef } from 'react';

let shownPath = location.pathname;

export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isNew = location.pathname !== shownPath;
    shownPath = location.pathname;
    // The focus was on something that has disappeared, such as the heading of a page that was being loaded.
    const isLost = document.activeElement === document.body;
    // The browser itself takes care of the first page, with which the user has done nothing yet.
    if (navigator.userActivation.hasBeenActive && (isNew || isLost)) heading.current?.focus();
  }, []);
  return (
    <>
      <title>{`${children} · Lists`}</title>
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
    </>
  );
}
