// The page for everybody who is not signed in: signs in or, at other addresses, makes an account or uses a link.
import { Link, Route, Switch } from 'wouter';
import { isErrorOf } from '../client.ts';
import { Message } from '../ui/message.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { AccountForm } from './account-form.tsx';
import { ConfirmEmail, ForgottenPassword, NewPassword } from './mail-link-pages.tsx';
import { SignInFailed } from './provider.tsx';
import { useSignIn, useSignUp } from './use-account.ts';

/** These are the same whoever is signed in. */
export const openPages = /^\/(?:reset-password|confirm-email|sign-in\/failed)$/;

export function AccountPage() {
  return (
    <main className="centered">
      <div className="card card-raised stack">
        <p className="brand">Lists</p>
        <Switch>
          <Route path="/sign-up" component={SignUp} />
          <Route path="/forgotten-password" component={ForgottenPassword} />
          <Route path="/reset-password" component={NewPassword} />
          <Route path="/confirm-email" component={ConfirmEmail} />
          <Route path="/sign-in/failed" component={SignInFailed} />
          <Route path="/account-deleted" component={AccountDeleted} />
          <Route component={SignIn} />
        </Switch>
      </div>
    </main>
  );
}

function SignIn() {
  const signIn = useSignIn();
  return (
    <>
      <PageTitle>Sign in</PageTitle>
      <AccountForm
        action="Sign in"
        call={signIn}
        explain={(error) =>
          isErrorOf(error, 'accounts.signIn') ? { form: 'The e-mail address or the password is wrong.' } : {}
        }
      />
      <p className="muted">
        No account yet? <Link href="/sign-up">Sign up</Link>
        <br />
        <Link href="/forgotten-password">Forgotten your password?</Link>
      </p>
    </>
  );
}

function SignUp() {
  const signUp = useSignUp();
  return (
    <>
      <PageTitle>Sign up</PageTitle>
      <AccountForm
        action="Sign up"
        call={signUp}
        isNew
        explain={(error) =>
          isErrorOf(error, 'accounts.signUp') ? { email: 'has an account already: sign in' } : {}
        }
      />
      <p className="muted">
        You have an account? <Link href="/sign-in">Sign in</Link>
      </p>
    </>
  );
}

function AccountDeleted() {
  return (
    <Message title="Account deleted" href="/sign-up" link="Sign up again">
      Your lists and tasks are gone, and you are signed out everywhere.
    </Message>
  );
}
