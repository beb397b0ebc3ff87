// The heading of a page, which is also the title of the window. After a navigation it gets the focus, so that a screen
// reader says where the user is.
import { useEffect, useRef } from 'react';

let isFirstPage = true;

export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The browser itself takes care of the first page.
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
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
