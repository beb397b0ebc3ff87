// Starts the app of the pictures.
import { app } from './app.ts';

await app.listen(`127.0.0.1:${process.env.PORT ?? 3000}`);
