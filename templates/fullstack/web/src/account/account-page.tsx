// The page for everybody who is not signed in: signs in or, at /sign-up, makes an account.
import { Link, useLocation } from 'wouter';
import { isErrorOf } from '../client.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { AccountForm } from './account-form.tsx';
import { useSignIn, useSignUp } from './use-account.ts';

export function AccountPage() {
  const [path] = useLocation();
  return (
    <main className="centered">
      <div className="card account">
        <p className="brand">Lists</p>
        {path === '/sign-up' ? <SignUp /> : <SignIn />}
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
