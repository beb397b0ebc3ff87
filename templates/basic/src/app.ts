// The app: every route, in the order a visitor meets them. Tests use it without a port (app.test.ts).
import { App, FwError } from 'fw';
import { homePage } from './home.ts';

interface Note {
  id: number;
  text: string;
}

const notes: Note[] = [{ id: 1, text: 'Edit src/app.ts' }];

// A larger request body is answered 413: without a limit, one client could fill the memory.
export const app = new App().maxBodySize(1024 * 1024);

app.get('/', (ctx) => ctx.html(homePage));

// `param` accepts only the names in the path: try `param('nam')`.
app.get('/hello/:name', (ctx) => {
  return ctx.json({ message: `Hello, ${ctx.req.param('name')}!` });
});

// A plain value becomes JSON.
app.get('/notes', () => notes);

app.get('/notes/:id', (ctx) => {
  const wanted = ctx.req.param('id');
  const note = notes.find(({ id }) => String(id) === wanted);
  // Answered as 404 {"error":"NotFound","message":"there is no note 7"}.
  if (!note) throw FwError.notFound(`there is no note ${wanted}`);
  return note;
});

app.post('/notes', async (ctx) => {
  const body = await ctx.req.json<{ text?: unknown } | null>();
  if (typeof body?.text !== 'string') throw FwError.badRequest('text must be a string');
  const note: Note = { id: notes.length + 1, text: body.text };
  notes.push(note);
  ctx.status(201);
  return note;
});
