// Tells the user while the page is not connected, and what that means.
import { useConnection } from './connection.ts';

const texts = {
  connected: '',
  reconnecting: 'Connecting again…',
  offline: 'You are offline. Changes are sent when you are back.',
};

export function ConnectionBanner() {
  const text = texts[useConnection()];
  // The region stays in the page: a screen reader says what appears in it.
  return (
    <div className="banner" role="status">
      {text}
    </div>
  );
}
