// The app with its routes. The tests in app.test.ts call it directly, without a port.
import { App, FwError } from 'fw';
import { homePage } from './home.ts';

interface Note {
  id: number;
  text: string;
}

const notes: Note[] = [{ id: 1, text: 'Edit src/app.ts' }];

// Limits request bodies to 1 MiB, so that no client can fill the memory; a larger one is answered with 413.
export const app = new App().maxBodySize(1024 * 1024);

app.get('/', (ctx) => ctx.html(homePage));

// The parameters of the path are typed: `param('nam')` does not compile.
app.get('/hello/:name', (ctx) => {
  return ctx.json({ message: `Hello, ${ctx.req.param('name')}!` });
});

// A returned value is sent as JSON.
app.get('/notes', () => notes);

app.get('/notes/:id', (ctx) => {
  const wanted = ctx.req.param('id');
  const note = notes.find(({ id }) => String(id) === wanted);
  // The response is 404 with {"error":"NotFound","message":"there is no note 7"}.
  if (!note) throw FwError.notFound(`there is no note ${wanted}`);
  return note;
});

app.post('/notes', async (ctx) => {
  const body = await ctx.req.json<{ text?: unknown } | null>();
  if (typeof body?.text !== 'string') throw FwError.badRequest('text must be a string');
  const note: Note = { id: notes.length + 1, text: body.text };
  notes.push(note);
  ctx.log.info('note added', { id: note.id });
  ctx.status(201);
  return note;
});
