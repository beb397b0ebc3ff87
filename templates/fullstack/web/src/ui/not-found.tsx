// The page for addresses that lead nowhere.
import { Message } from './message.tsx';

export function NotFound({ what = 'There is no page at this address.' }: { what?: string }) {
  return (
    <div className="card empty">
      <Message title="Not found" href="/" link="Go to your lists">
        {what}
      </Message>
    </div>
  );
}
