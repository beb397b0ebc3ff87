// The notes, kept in memory: replace them with your own.
import { App, Context, FwError, Valid } from 'fw';
import { z } from 'zod';

// What a request must bring. Anything else is answered with 422, and the response says what is wrong.
const NewNote = z.object({ text: z.string().min(1).max(1000) });

interface Note {
  id: number;
  text: string;
}

const all: Note[] = [{ id: 1, text: 'Edit src/notes.ts' }];

export const notes = new App();

// A returned value is sent as JSON.
notes.get('/', () => all);

notes.get('/:id', (ctx) => {
  const wanted = ctx.req.param('id');
  const note = all.find(({ id }) => String(id) === wanted);
  // The response is 404 with {"error":"NotFound","message":"there is no note 7"}.
  if (!note) throw FwError.notFound(`there is no note ${wanted}`);
  return note;
});

// The handler gets what Valid has checked, with its type.
notes.post('/', Valid(NewNote), Context, ({ text }, ctx) => {
  const note: Note = { id: all.length + 1, text };
  all.push(note);
  ctx.log.info('note added', { id: note.id });
  ctx.status(201);
  return note;
});
