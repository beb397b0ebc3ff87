// The workloads on Express, with its own parser of bodies and its own static files.
import express from 'express';
import { order, reply } from './workloads.js';

const app = express();
app.get('/hello', (_req, res) => {
  res.type('text/plain').send('Hello, World!');
});
app.get('/json', (_req, res) => {
  res.json(reply());
});
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, (req, res) => {
    res.json({ id: req.params.id, verbose: req.query.verbose });
  });
}
app.post('/orders', express.json(), (req, res) => {
  const parsed = order.parse(req.body);
  res.json({ ok: true, total: parsed.items.length });
});
const chained = express.Router();
for (let i = 0; i < 10; i++) chained.use(async (_req, _res, next) => next());
chained.get('/', (_req, res) => {
  res.type('text/plain').send('Hello, World!');
});
app.use('/chain', chained);
if (process.env.FILES) app.use('/files', express.static(process.env.FILES));

app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
