// Asks who has not confirmed the e-mail address to do so, and sends the link again.
import { useMutation } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { User } from '../client.ts';
import { messageOf } from '../errors.ts';

export function UnconfirmedHint({ user }: { user: User }) {
  const again = useMutation(api.accounts.requestConfirmation.mutationOptions());
  if (user.isConfirmed) return null;
  return (
    <aside className="hint" aria-label="Reminder">
      <p className="hint-text" role="status">
        {again.isSuccess
          ? `A new link is on its way to ${user.email}.`
          : again.isError
            ? `The link was not sent. ${messageOf(again.error)}`
            : `Confirm your e-mail address with the link that was sent to ${user.email}.`}
      </p>
      <button
        type="button"
        className="button"
        disabled={again.isPending}
        onClick={() => again.mutate(undefined)}
      >
        Send again
      </button>
    </aside>
  );
}
