// Node: what an App loads when it serves, which becomes one file of the package. Importing fw must not load node:http.
export { listen, listenUntil, serveUntil } from './listen.js';
export { answerUpgrade } from './upgrade.js';
