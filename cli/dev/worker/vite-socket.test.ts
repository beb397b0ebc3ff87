// The request that opens a WebSocket at Vite.
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { headFor } from './vite-socket.js';

it('has the host and the key of Vite, whatever the client says, and all other fields as they came', () => {
  const rawHeaders = ['Host', 'localhost:3000', 'FW-Frontend', 'forged', 'Cookie', 'a=1', 'cookie', 'b=2'];
  const request = { method: 'GET', url: '/?token=t', rawHeaders } as unknown as IncomingMessage;
  expect(headFor(request, '127.0.0.1:5173', ['fw-frontend', 'key']).split('\r\n')).toEqual([
    'GET /?token=t HTTP/1.1',
    'fw-frontend: key',
    'Host: 127.0.0.1:5173',
    'Cookie: a=1',
    'cookie: b=2',
    '',
    '',
  ]);
});
