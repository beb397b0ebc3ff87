// A page that only says something, with a link to where to go on.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageTitle } from './page-title.tsx';

interface Props {
  title: string;
  href: string;
  link: string;
  children: ReactNode;
}

export function Message({ title, href, link, children }: Props) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <p>{children}</p>
      <p>
        <Link href={href}>{link}</Link>
      </p>
    </>
  );
}
