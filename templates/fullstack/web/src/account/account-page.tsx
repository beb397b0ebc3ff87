// The page for everybody who is not signed in: signs in or, at other addresses, makes an account or sets a new password.
import { Link, Route, Switch } from 'wouter';
import { isErrorOf } from '../client.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { AccountForm } from './account-form.tsx';
import { ForgottenPassword, NewPassword } from './forgotten-password.tsx';
import { useSignIn, useSignUp } from './use-account.ts';

export function AccountPage() {
  return (
    <main className="centered">
      <div className="card account">
        <p className="brand">Lists</p>
        <Switch>
          <Route path="/sign-up" component={SignUp} />
          <Route path="/forgotten-password" component={ForgottenPassword} />
          <Route path="/reset-password" component={NewPassword} />
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
        passwordAutoComplete="current-password"
        explain={(error) =>
          isErrorOf(error, 'accounts.signIn') ? { form: 'The e-mail address or the password is wrong.' } : {}
        }
      />
      <p className="muted">
        No account yet? <Link href="/sign-up">Sign up</Link>
      </p>
      <p className="muted">
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
        passwordAutoComplete="new-password"
        passwordHint="At least 12 characters."
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
