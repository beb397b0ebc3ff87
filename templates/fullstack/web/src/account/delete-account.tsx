// The button that deletes the account, with a dialog that says what is lost.
import { isErrorOf, type User } from '../client.ts';
import { faultsOf } from '../errors.ts';
import { useLists } from '../lists/use-lists.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import { EmailField, PasswordField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { useDeleteAccount } from './use-account.ts';

export function DeleteAccount({ user }: { user: User }) {
  return (
    <>
      <p className="muted">Your lists and tasks are deleted with it. Nobody can bring them back.</p>
      <DialogButton label="Delete account" className="button button-danger">
        <Confirmation user={user} />
      </DialogButton>
    </>
  );
}

function Confirmation({ user: { email, hasPassword } }: { user: User }) {
  const { lists = [] } = useLists();
  const remove = useDeleteAccount();
  const faults = faultsOf(remove.error, (error) =>
    isErrorOf(error, 'accounts.remove') ? { confirmation: 'is wrong' } : {},
  );
  const own = lists.length === 1 ? 'your list with its tasks' : `your ${lists.length} lists with all tasks`;
  return (
    <div className="stack">
      <h2>Delete your account?</h2>
      <p>
        The account {email}
        {lists.length > 0 && `, ${own}`} and all sessions are deleted at once, on every device. Nobody can
        bring them back.
      </p>
      <Form
        label="Delete your account"
        action="Delete account"
        isDangerous
        otherButton={
          <button
            type="button"
            className="button"
            onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
          >
            Cancel
          </button>
        }
        call={remove}
        fault={faults.form}
        onSubmit={(text) => remove.mutate({ confirmation: text('confirmation') })}
      >
        {hasPassword ? (
          <PasswordField label="Your password" name="confirmation" fault={faults.confirmation} />
        ) : (
          <EmailField
            label="Your e-mail address"
            name="confirmation"
            autoComplete="off"
            hint="Type it to confirm."
            fault={faults.confirmation}
          />
        )}
      </Form>
    </div>
  );
}
