// Requests of all kinds, which are made of the types of the app: valid, nearly valid and hostile ones. What breaks is
// shown as a command of curl and as a test. See `npx fw docs fuzzing`.
import { fuzz } from 'fw/testing';
import { test } from 'vitest';
import { app } from './app.ts';

test('no request breaks the app', () => fuzz(app), 60_000);
