// Shows the notices. The live regions are always in the page: screen readers say what appears in them.
import { dismiss, useNotices } from './notices-store.ts';

export function Notices() {
  const { notices, announcement } = useNotices();
  return (
    <>
      <div className="notices" role="alert">
        {notices.map(({ id, text }) => (
          <div key={id} className="notice">
            <p>{text}</p>
            <button
              type="button"
              className="button button-quiet"
              aria-label="Dismiss"
              onClick={() => dismiss(id)}
            >
              <span aria-hidden="true">✕</span>
            </button>
          </div>
        ))}
      </div>
      <div className="hidden-text" role="status">
        {announcement}
      </div>
    </>
  );
}
