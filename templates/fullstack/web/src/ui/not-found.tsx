// The page for addresses that lead nowhere.
import { Link } from 'wouter';
import { PageTitle } from './page-title.tsx';

export function NotFound({ what = 'There is no page at this address.' }: { what?: string }) {
  return (
    <div className="empty">
      <PageTitle>Not found</PageTitle>
      <p>{what}</p>
      <Link href="/">Go to your lists</Link>
    </div>
  );
}
