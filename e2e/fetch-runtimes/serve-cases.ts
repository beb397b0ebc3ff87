// Runs on Bun and on Deno: serves the App of every case on a port of its own, and prints the ports by area.
import { areas } from '../../framework/conformance/areas.js';
import { listen as listenOnBun } from '../../framework/runtime/bun/index.js';
import { listen as listenOnDeno } from '../../framework/runtime/deno/index.js';

const listen = 'Bun' in globalThis ? listenOnBun : listenOnDeno;
const ports: Record<string, number[]> = {};
for (const [area, cases] of Object.entries(areas)) {
  ports[area] = [];
  for (const one of cases) ports[area].push((await listen(one.app(), 0)).port);
}
console.log(JSON.stringify(ports));
