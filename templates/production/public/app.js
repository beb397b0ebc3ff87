// The page: signs in with a session, shows the tasks, and follows their changes. Replace it with your own frontend.
const $ = (id) => document.getElementById(id);

/** Calls the API. The token against forged requests is in a cookie that only pages of this site can read. */
async function call(method, path, body, headers = {}) {
  const token = document.cookie.match(/(?:^|; )(?:__Host-)?csrf=([^;]+)/)?.[1] ?? '';
  const response = await fetch(path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), 'x-csrf-token': token, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) return answer;
  const issues = answer.issues?.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw Object.assign(new Error(issues ?? answer.message), { status: response.status });
}

/** Runs what a person has asked for, and says what went wrong. */
async function attempt(work) {
  $('message').textContent = '';
  try {
    await work();
  } catch (error) {
    if (error.status === 401) showSignIn();
    $('message').textContent = error.message;
  }
}

let socket;

function showSignIn() {
  socket?.close();
  socket = undefined;
  $('sign-in').hidden = false;
  $('tasks').hidden = $('sign-out').hidden = true;
  // Nothing of a user stays in the page for whoever comes next.
  $('list').replaceChildren();
}

async function showTasks() {
  const { items } = await call('GET', '/tasks?limit=100');
  $('list').replaceChildren(...items.map(row));
  $('empty').hidden = items.length > 0;
  $('sign-in').hidden = true;
  $('tasks').hidden = $('sign-out').hidden = false;
  socket ??= follow();
}

function row(task) {
  const [item, label, box, title, remove] = ['li', 'label', 'input', 'span', 'button'].map((tag) =>
    document.createElement(tag),
  );
  const path = `/tasks/${task.id}`;
  box.type = 'checkbox';
  box.checked = task.status === 'done';
  title.textContent = task.title;
  remove.textContent = 'Remove';
  remove.className = 'quiet';
  remove.setAttribute('aria-label', `Remove ${task.title}`);
  item.className = task.status;
  box.addEventListener('change', () =>
    attempt(async () => {
      const change = { status: box.checked ? 'done' : 'open' };
      await call('PATCH', path, change, { 'if-match': `"${task.version}"` }).finally(showTasks);
    }),
  );
  remove.addEventListener('click', () => attempt(() => call('DELETE', path).then(showTasks)));
  label.append(box, title);
  item.append(label, remove);
  return item;
}

/** Loads the tasks again when they have changed somewhere else. After an interruption it connects and loads again. */
function follow() {
  const connection = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`);
  connection.addEventListener('message', () => attempt(showTasks));
  connection.addEventListener('close', () => {
    if (socket !== connection) return;
    socket = undefined;
    // Spread, so that not all clients come back at once after a deployment.
    setTimeout(() => attempt(showTasks), 1000 + Math.random() * 4000);
  });
  return connection;
}

$('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  const credentials = Object.fromEntries(new FormData(event.target));
  attempt(async () => {
    if (event.submitter?.value === 'forgotten') {
      await call('POST', '/password-reset', { email: credentials.email });
      $('message').textContent = 'If the address has an account, a mail with a link is on its way.';
      return;
    }
    if (event.submitter?.value === 'sign-up') await call('POST', '/sign-up', credentials);
    await call('POST', '/session', credentials);
    event.target.reset();
    await showTasks();
  });
});

$('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const { title } = Object.fromEntries(new FormData(event.target));
  attempt(async () => {
    await call('POST', '/tasks', { title });
    event.target.reset();
    await showTasks();
  });
});

$('sign-out').addEventListener('click', () => attempt(() => call('DELETE', '/session').then(showSignIn)));

/** The link of a mail has its secret behind the #, which browsers send to nobody. */
const [, secret] = location.hash.match(/^#reset=([\w-]+)$/) ?? [];

$('reset').addEventListener('submit', (event) => {
  event.preventDefault();
  const { newPassword } = Object.fromEntries(new FormData(event.target));
  attempt(async () => {
    await call('PUT', '/password-reset', { token: secret, newPassword });
    $('reset').hidden = true;
    history.replaceState(null, '', '/');
    showSignIn();
    $('message').textContent = 'Your password was changed. Sign in with it.';
  });
});

if (secret !== undefined) $('reset').hidden = false;
else start();

function start() {
  showTasks().catch((error) => {
    showSignIn();
    if (error.status !== 401) $('message').textContent = error.message;
  });
}
