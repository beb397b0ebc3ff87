// All procedures that the page can call. Each group is in a file of its own.
import { RpcRegistry } from 'fw/rpc';
import { accounts } from './auth/accounts.ts';
import { sessions } from './auth/sessions.ts';
import { changes } from './lists/changes.ts';
import { lists } from './lists/lists.ts';
import { tasks } from './lists/tasks.ts';
import contract from './rpc-contract.json' with { type: 'json' };

// A procedure that is not named here is only for users who are signed in.
export const rpc = new RpcRegistry().requireAuth({
  except: [
    'accounts.signUp',
    'accounts.signIn',
    'accounts.current',
    'accounts.provider',
    'accounts.requestReset',
    'accounts.resetPassword',
    'accounts.confirmEmail',
  ],
});

// The types of inputs and results without a schema, which `fw generate` has read from the procedures.
rpc.loadContract(contract);

rpc.merge(accounts).merge(sessions).merge(lists).merge(tasks).merge(changes);
