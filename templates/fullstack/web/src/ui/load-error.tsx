// What could not be loaded, why, and a button that tries again.
import { messageOf } from '../errors.ts';

interface Props {
  what: string;
  error: Error;
  retry: () => unknown;
}

export function LoadError({ what, error, retry }: Props) {
  return (
    <div className="load-error" role="alert">
      <p>
        {what} could not be loaded. {messageOf(error)}
      </p>
      <button className="button" type="button" onClick={() => retry()}>
        Try again
      </button>
    </div>
  );
}
