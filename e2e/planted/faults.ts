// Faults of the kinds that people make, each planted into a copy of a template.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are code

export interface Fault {
  readonly template: 'basic' | 'rpc' | 'api-only' | 'fullstack';
  readonly what: string;
  readonly file: string;
  /** Is in the file once. */
  readonly from: string;
  readonly to: string;
}

const notes = 'src/notes.ts';
const app = 'src/app.ts';
const store = 'src/tasks/task-store.ts';
const routes = 'src/tasks/tasks.ts';
const keys = 'src/auth/api-keys.ts';
const refresh = 'src/auth/refresh-tokens.ts';
const lists = 'src/lists/lists.ts';
const tasks = 'src/lists/tasks.ts';
const accounts = 'src/auth/accounts.ts';
const rpc = 'src/rpc.ts';
const hello = "return ctx.json({ message: `Hello, ${ctx.req.param('name')}!` });";

const basic = (what: string, file: string, from: string, to: string): Fault => ({
  template: 'basic',
  what,
  file,
  from,
  to,
});
const rpcFault = (what: string, file: string, from: string, to: string): Fault => ({
  template: 'rpc',
  what,
  file,
  from,
  to,
});
const api = (what: string, file: string, from: string, to: string): Fault => ({
  template: 'api-only',
  what,
  file,
  from,
  to,
});
const full = (what: string, file: string, from: string, to: string): Fault => ({
  template: 'fullstack',
  what,
  file,
  from,
  to,
});

const ownedTask =
  "    .where('id', '=', id)\n    .where('ownerId', '=', ownerId)\n    .executeTakeFirst();\n  if (task";
const made = '  const note: Note =';

export const faults: readonly Fault[] = [
  basic(
    'a text that is not escaped in HTML',
    app,
    hello,
    "return ctx.html(`<h1>${ctx.req.param('name')}</h1>`);",
  ),
  basic(
    'a header field with any text',
    app,
    hello,
    "return ctx.header('X-Name', ctx.req.param('name')).json(1);",
  ),
  basic('a redirection to anywhere', app, hello, "return ctx.redirect(encodeURI(ctx.req.param('name')));"),
  basic(
    'a file that is named by the request',
    app,
    hello,
    "return ctx.text(readFileSync(ctx.req.param('name'), 'utf8'));",
  ),
  basic('an error with its stack', app, hello, "return ctx.status(404).text(new Error('gone').stack ?? '');"),
  basic(
    'an object that is looked up by any name',
    app,
    hello,
    "return { greeting: ({ ada: { text: 'Hello' } } as Record<string, { text: string }>)[ctx.req.param('name')]!.text };",
  ),
  basic('an expression that is made of a text', notes, made, '    new RegExp(text);\n  const note: Note ='),
  basic('a text that is decoded', notes, made, '    decodeURIComponent(text);\n  const note: Note ='),
  basic('a text that is taken for JSON', notes, made, '    JSON.parse(`"${text}"`);\n  const note: Note ='),
  basic(
    'the last text that is allowed',
    notes,
    made,
    "    if (text.length > 999) throw new Error('too long');\n  const note: Note =",
  ),
  basic(
    'an id that is a text',
    notes,
    'const note = all.find(({ id }) => String(id) === wanted);',
    'const note = all.find(({ id }) => BigInt(id) === BigInt(wanted));',
  ),
  basic(
    'a note that is not there',
    notes,
    '  if (!note) throw FwError.notFound(`there is no note ${wanted}`);\n  return note;',
    '  return { text: note!.text };',
  ),
  basic(
    'a Location that leads nowhere',
    notes,
    '  ctx.status(201);',
    "  ctx.status(201).header('Location', `/note/${note.id}`);",
  ),
  basic(
    'an app that breaks after a while',
    app,
    "app.get('/', (ctx) => ctx.html(homePage));",
    "let left = 20;\napp.get('/', (ctx) => {\n  if (left-- < 0) throw new Error('used up');\n  return ctx.html(homePage);\n});",
  ),
  basic(
    'a promise that nobody waits for',
    app,
    hello,
    "void Promise.reject(new Error(ctx.req.param('name')));\n  return 1;",
  ),
  basic(
    'a HEAD that is refused',
    app,
    "app.get('/', ",
    "app.use((ctx, next) => (ctx.req.method === 'HEAD' ? ctx.status(405).text('') : next()));\napp.get('/', ",
  ),
  basic(
    'an origin that may read everything',
    app,
    "app.get('/', ",
    "app.use((ctx, next) => {\n  ctx.header('Access-Control-Allow-Origin', ctx.req.header('origin') ?? '*').header('Access-Control-Allow-Credentials', 'true');\n  return next();\n});\napp.get('/', ",
  ),

  rpcFault(
    'a task that is not there',
    rpc,
    "    if (!task) throw errors.noSuchTask({ id }, { message: `there is no task ${id}` });\n    log.info('task done', { id });\n    return finishTask(task);",
    "    void errors;\n    log.info('task done', { id });\n    return finishTask(task!);",
  ),
  rpcFault(
    'a result of another type',
    rpc,
    'return { all: allTasks().length, done: allTasks().filter((task) => task.isDone).length };',
    'return { all: allTasks().length, done: `${allTasks().length}` as never };',
  ),
  rpcFault(
    'a list of another type',
    rpc,
    '    return allTasks().filter(',
    '    if (isDone === true) return [{ title: 1 }] as never;\n    return allTasks().filter(',
  ),
  rpcFault(
    'a field that is not declared',
    rpc,
    'async ({ title, priority }): Promise<Task> => addTask(title, priority),',
    'async ({ title, priority }): Promise<Task> => ({ ...addTask(title, priority), ...{ rowVersion: 1 } }),',
  ),
  rpcFault(
    'the longest text that is allowed',
    rpc,
    'async ({ title, priority }): Promise<Task> => addTask(title, priority),',
    "async ({ title, priority }): Promise<Task> => {\n    if (title.length === 200) throw new Error('too long');\n    return addTask(title, priority);\n  },",
  ),
  rpcFault(
    'a number that is negative',
    rpc,
    '    const task = findTask(id);',
    '    new Array(id);\n    const task = findTask(id);',
  ),
  rpcFault(
    'a filter that fails',
    rpc,
    '    return allTasks().filter(',
    "    if (priority === 'high') throw new Error('not yet');\n    return allTasks().filter(",
  ),
  rpcFault(
    'a stream that fails',
    rpc,
    '    for await (const task of taskChanges(signal))',
    "    if (id !== undefined && id < 0) throw new Error('negative');\n    for await (const task of taskChanges(signal))",
  ),

  api(
    'the task of somebody else, read',
    store,
    ownedTask,
    ownedTask.replace("    .where('ownerId', '=', ownerId)\n", ''),
  ),
  api(
    'the tasks of everybody, listed',
    store,
    ".selectFrom('tasks').selectAll().where('ownerId', '=', ownerId);",
    ".selectFrom('tasks').selectAll();\n  void ownerId;",
  ),
  api(
    'the task of somebody else, changed',
    store,
    "    .where('id', '=', id)\n    .where('ownerId', '=', ownerId);\n  if (expected",
    "    .where('id', '=', id);\n  if (expected",
  ),
  api(
    'the task of somebody else, removed',
    store,
    ".deleteFrom('tasks').where('id', '=', id).where('ownerId', '=', ownerId);",
    ".deleteFrom('tasks').where('id', '=', id);",
  ),
  api(
    'the keys of everybody, listed',
    keys,
    '(await keysOf(ctx.db()).list(user.id)).map(shown)',
    '(await Promise.all((await ctx.db().selectFrom("users").select("id").execute()).map((one) => keysOf(ctx.db()).list(one.id)))).flat().map(shown)',
  ),
  api(
    'the key of somebody else, revoked',
    keys,
    'await keysOf(ctx.db()).revoke(user.id, id);',
    '(await Promise.all((await ctx.db().selectFrom("users").select("id").execute()).map((one) => keysOf(ctx.db()).revoke(one.id, id)))).includes(true);',
  ),
  api(
    'the sign-in of somebody else, ended',
    refresh,
    'await refreshTokens(ctx.db()).end(user.id, id);',
    '(await Promise.all((await ctx.db().selectFrom("users").select("id").execute()).map((one) => refreshTokens(ctx.db()).end(one.id, id)))).includes(true);',
  ),
  api(
    'a query that is made of text',
    store,
    "query = query.where(sql<boolean>`lower(title) like lower(${pattern}) escape '!'`);",
    "query = query.where(sql<boolean>`lower(title) like ${sql.raw(`'${pattern}'`)}`);",
  ),
  api(
    'a cursor that is not one',
    'src/tasks/cursor.ts',
    '    } catch {\n',
    '    } catch (error) {\n      if (text.length > 0) throw error;\n',
  ),
  api(
    'a row with the hash of a password',
    accounts,
    "describeRoute('/', { returns: User, use, summary: 'Who I am' })",
    "describeRoute('/', { use, summary: 'Who I am' })",
  ),
  api(
    'an answer that caches may share',
    routes,
    "      ctx.header('ETag', etagOf(task));\n      if (!isKnown",
    "      ctx.header('ETag', etagOf(task)).header('Cache-Control', 'public, max-age=60');\n      if (!isKnown",
  ),
  api(
    'a Location that leads nowhere',
    routes,
    "ctx.header('Location', `/tasks/${task.id}`)",
    "ctx.header('Location', `/task/${task.id}`)",
  ),
  api(
    'a header field that is not checked',
    'src/tasks/etag.ts',
    "    .filter(([, weak, tag = '']) => weak === undefined && /^[1-9]\\d{0,8}$/.test(tag))",
    "    .filter(([, weak, tag = '']) => weak === undefined && BigInt(tag) > 0)",
  ),
  api(
    'a message with a stack',
    store,
    'if (task === undefined) throw FwError.notFound(`there is no task ${id}`);',
    "if (task === undefined) throw FwError.notFound(`there is no task ${id}: ${new Error('here').stack}`);",
  ),
  api(
    'an answer that is not as declared',
    routes,
    '    (filter, { ctx, user }) => listTasks(ctx.db(), user.id, filter),',
    '    async (filter, { ctx, user }) => ({ ...(await listTasks(ctx.db(), user.id, filter)), nextCursor: 1 as never }),',
  ),

  full(
    'the lists of everybody',
    lists,
    "    .where('lists.ownerId', '=', user.id)\n    .groupBy",
    '    .groupBy',
  ),
  full(
    'the list of somebody else, renamed',
    lists,
    '    await requireList(ctx.db(), user.id, id);\n    await ctx.db().updateTable',
    '    await ctx.db().updateTable',
  ),
  full(
    'the list of somebody else, removed',
    lists,
    ".where('id', '=', id).where('ownerId', '=', user.id).execute();",
    ".where('id', '=', id).execute();",
  ),
  full(
    'the tasks of somebody else, read',
    tasks,
    '  await requireList(ctx.db(), user.id, listId);\n  const rows',
    '  void user;\n  const rows',
  ),
  full(
    'a task in the list of somebody else',
    tasks,
    '    await requireList(ctx.db(), user.id, listId);\n    const row',
    '    const row',
  ),
  full(
    'the task of somebody else, changed and removed',
    tasks,
    "    .where('lists.ownerId', '=', ownerId)\n",
    '',
  ),
  full(
    'a row with the hash of a password',
    accounts,
    'return row === undefined ? null : userOf(row);',
    'return row === undefined ? null : { ...row, ...userOf(row) };',
  ),
  full(
    'procedures that anybody may call',
    rpc,
    "    'accounts.current',\n",
    "    'accounts.current',\n    'sessions.all',\n    'sessions.endOthers',\n",
  ),
  full(
    'a protection against CSRF with an exception',
    app,
    'allowedOrigins: [PUBLIC_URL.origin] }',
    "allowedOrigins: [PUBLIC_URL.origin], except: ['/rpc'] }",
  ),
  full(
    'a change of nothing',
    tasks,
    "    if (Object.keys(change).length === 0) throw FwError.badRequest('give a title or isDone');\n",
    '',
  ),
];
