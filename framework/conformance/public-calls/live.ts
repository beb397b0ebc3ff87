// Calls of WebSockets, channels, databases and tests.
import { App, PubSub } from '../../index.js';
import {
  RedisChannelBroker,
  RedisRateLimitStore,
  RedisSessionStore,
  RedisStreamBroker,
} from '../../redis/index.js';
import * as drizzle from '../../sql/drizzle/index.js';
import * as kysely from '../../sql/kysely/index.js';
import { fuzz, startServer, TestClient } from '../../testing/index.js';
import { connectWebSocket } from '../../testing/websocket/index.js';
import { ChannelManager, websocket } from '../../websocket/index.js';
import { type Call, OPTIONAL } from './call.js';

const redis = 'redis://127.0.0.1:1';
const memory = await kysely.kyselyFromUrl(':memory:');

export const live: readonly Call[] = [
  ['websocket', (handlers) => websocket(handlers), ['object']],
  ['websocket: options', (config) => websocket({}, config), OPTIONAL],
  ['new ChannelManager', (options) => new ChannelManager(options), OPTIONAL],
  ['ChannelManager.publish: topic', (topic) => new ChannelManager().publish(topic, 'a'), ['text']],
  ['ChannelManager.publish: message', (message) => new ChannelManager().publish('t', message), ['text']],
  ['ChannelManager.broadcastAll', (message) => new ChannelManager().broadcastAll(message), ['text']],
  ['new PubSub', (options) => new PubSub(options), OPTIONAL],
  ['PubSub.publish: topic', (topic) => new PubSub().publish(topic), ['text']],
  ['PubSub.subscribe: topic', (topic) => new PubSub().subscribe(topic), ['text']],
  ['PubSub.subscribe: options', (options) => new PubSub().subscribe('t', options), OPTIONAL],
  ['new RedisChannelBroker', (client) => new RedisChannelBroker(client)],
  ['new RedisChannelBroker: options', (options) => new RedisChannelBroker(redis, options), OPTIONAL],
  ['new RedisStreamBroker: options', (options) => new RedisStreamBroker(redis, options), OPTIONAL],
  ['new RedisSessionStore: options', (options) => new RedisSessionStore(redis, options), OPTIONAL],
  ['new RedisRateLimitStore: options', (options) => new RedisRateLimitStore(redis, options), OPTIONAL],
  ['transactional: database', (db) => kysely.transactional(db), ['undefined']],
  ['transactional: options', (options) => kysely.transactional(undefined, options), OPTIONAL],
  ['transactional: Drizzle', (db) => drizzle.transactional(db), ['undefined']],
  ['migrateToLatest: options', (options) => kysely.migrateToLatest({} as never, options)],
  ['migrations: database', (db) => kysely.migrations(db, {})],
  ['migrations: source', (source) => kysely.migrations(memory, source), ['object']],
  ['migrations: options', (options) => kysely.migrations(memory, {}, options), OPTIONAL],
  ['migrations: database of Drizzle', (db) => drizzle.migrations(db, 'none')],
  [
    'migrations: source of Drizzle',
    (source) => drizzle.migrations({ $client: { idleCount: 0 } }, source),
    ['text'],
  ],
  ['tableDifferences: database', (db) => kysely.tableDifferences(db, {})],
  [
    'tableDifferences: columns',
    (columns) => kysely.tableDifferences(memory, columns),
    ['object', 'misspelt'],
  ],
  ['migrationCommand: migrations', (value) => kysely.migrationCommand(value, [])],
  [
    'migrationCommand: options',
    (options) => kysely.migrationCommand(kysely.migrations(memory, {}), ['help'], options),
    OPTIONAL,
  ],
  ['migrateToLatest: Drizzle', (db) => drizzle.migrateToLatest(db, { migrationsFolder: 'none' })],
  ['migrateToLatest: options of Drizzle', (options) => drizzle.migrateToLatest({}, options)],
  ['createSessionTable: database', (db) => kysely.createSessionTable(db)],
  ['createSessionTable: options', (options) => kysely.createSessionTable({} as never, options)],
  ['createRateLimitTable: database', (db) => kysely.createRateLimitTable(db)],
  ['createRateLimitTable: options', (options) => kysely.createRateLimitTable({} as never, options)],
  ['new SqlSessionStore: database', (db) => new kysely.SqlSessionStore(db)],
  ['new SqlSessionStore: options', (options) => new kysely.SqlSessionStore({} as never, options)],
  ['new SqlRateLimitStore: database', (db) => new kysely.SqlRateLimitStore(db)],
  ['new SqlRateLimitStore: options', (options) => new kysely.SqlRateLimitStore({} as never, options)],
  ['createTokenTable: database', (db) => kysely.createTokenTable(db)],
  ['createTokenTable: options', (options) => kysely.createTokenTable({} as never, options)],
  ['new SqlTokenStore: database', (db) => new kysely.SqlTokenStore(db)],
  ['new SqlTokenStore: options', (options) => new kysely.SqlTokenStore({} as never, options)],
  ['new SqlTokenStore: Drizzle', (db) => new drizzle.SqlTokenStore(db)],
  ['pgTokenTable: name', (name) => drizzle.pgTokenTable(name), ['undefined']],
  ['pgTokenTable: options', (options) => drizzle.pgTokenTable('a', options), OPTIONAL],
  ['mysqlTokenTable: options', (options) => drizzle.mysqlTokenTable('a', options), OPTIONAL],
  ['sqliteTokenTable: options', (options) => drizzle.sqliteTokenTable('a', options), OPTIONAL],
  ['new SqlSessionStore: Drizzle', (db) => new drizzle.SqlSessionStore(db)],
  ['new SqlRateLimitStore: Drizzle', (db) => new drizzle.SqlRateLimitStore(db)],
  ['pgSessionTable: name', (name) => drizzle.pgSessionTable(name), ['undefined']],
  ['pgSessionTable: options', (options) => drizzle.pgSessionTable('a', options), OPTIONAL],
  ['mysqlSessionTable: options', (options) => drizzle.mysqlSessionTable('a', options), OPTIONAL],
  ['sqliteSessionTable: options', (options) => drizzle.sqliteSessionTable('a', options), OPTIONAL],
  ['pgRateLimitTable: name', (name) => drizzle.pgRateLimitTable(name), ['undefined']],
  ['mysqlRateLimitTable: name', (name) => drizzle.mysqlRateLimitTable(name), ['undefined']],
  ['sqliteRateLimitTable: name', (name) => drizzle.sqliteRateLimitTable(name), ['undefined']],
  ['kyselyFromUrl: url', (url) => kysely.kyselyFromUrl(url)],
  ['kyselyFromUrl: options', (options) => kysely.kyselyFromUrl(':memory:', options), OPTIONAL],
  ['drizzleFromUrl: url', (url) => drizzle.drizzleFromUrl(url, { schema: {} })],
  ['drizzleFromUrl: options', (options) => drizzle.drizzleFromUrl(':memory:', options)],
  ['startServer', (value) => startServer(value)],
  ['fuzz', (value) => fuzz(value)],
  ['fuzz: options', (options) => fuzz(new App(), options), OPTIONAL],
  ['new TestClient', (target) => new TestClient(target)],
  ['new TestClient: options', (options) => new TestClient(new App(), options), OPTIONAL],
  ['connectWebSocket: options', (options) => connectWebSocket(redis, '/', options), ['undefined', 'object']],
];
