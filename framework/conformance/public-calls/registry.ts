// Calls of registries of RPC, of documents and of clients.
import { App } from '../../index.js';
import { clientFromApp, OpenApiBuilder, OpenApiSpec, openApiFromApp, RpcRegistry } from '../../rpc/index.js';
import { type Call, OPTIONAL } from './call.js';

const handler = () => 'ok';
const rpc = () => new RpcRegistry();

export const registry: readonly Call[] = [
  ['RpcRegistry.withMode', (mode) => RpcRegistry.withMode(mode)],
  ['RpcRegistry.group', (name) => RpcRegistry.group(name)],
  ['new RpcRegistry', (value) => new RpcRegistry(value)],
  ['RpcRegistry.query: name', (name) => rpc().query(name, handler)],
  ['RpcRegistry.query: handler', (value) => rpc().query('a', value), ['function']],
  ['RpcRegistry.query: options', (options) => rpc().query('a', options, handler), ['object', 'undefined']],
  [
    'RpcRegistry.mutation: options',
    (options) => rpc().mutation('a', options, handler),
    ['object', 'undefined'],
  ],
  ['RpcRegistry.queryWithTypes: input', (type) => rpc().queryWithTypes('a', handler, type, 'string')],
  ['RpcRegistry.queryWithTypes: output', (type) => rpc().queryWithTypes('a', handler, 'void', type)],
  ['RpcRegistry.defineType: name', (name) => rpc().defineType(name, 'string')],
  ['RpcRegistry.defineType: type', (type) => rpc().defineType('User', type)],
  ['RpcRegistry.use', (value) => rpc().use(value), ['function']],
  ['RpcRegistry.requireAuth', (options) => rpc().requireAuth(options), OPTIONAL],
  ['RpcRegistry.merge', (value) => rpc().merge(value)],
  ['RpcRegistry.maxBatch', (calls) => rpc().maxBatch(calls)],
  ['RpcRegistry.heartbeat', (ms) => rpc().heartbeat(ms)],
  ['RpcRegistry.openRpc', (info) => rpc().openRpc(info)],
  ['RpcRegistry.generateOpenRpc', (info) => rpc().generateOpenRpc(info)],
  ['RpcRegistry.loadContract', (contract) => rpc().loadContract(contract), ['undefined']],
  ['RpcRegistry.generateClient', (options) => rpc().generateClient(options), OPTIONAL],
  ['RpcRegistry.generateClientFile: path', (path) => rpc().generateClientFile(path), ['text']],
  ['RpcRegistry.generateClientFile: options', (options) => rpc().generateClientFile('', options)],
  ['RpcRegistry.generateOpenapi: title', (title) => rpc().generateOpenapi(title, '1', '/api'), ['text']],
  ['RpcRegistry.generateOpenapi: version', (version) => rpc().generateOpenapi('A', version, ''), ['text']],
  ['RpcRegistry.generateOpenapi: path', (path) => rpc().generateOpenapi('A', '1', path), ['text']],
  ['RpcRegistry.generateOpenapi: options', (value) => rpc().generateOpenapi('A', '1', '', value), OPTIONAL],
  ['new OpenApiSpec: title', (title) => new OpenApiSpec(title, '1'), ['text']],
  ['new OpenApiSpec: version', (version) => new OpenApiSpec('A', version), ['text']],
  ['OpenApiSpec.addServer', (url) => new OpenApiSpec('A', '1').addServer(url), ['text']],
  [
    'OpenApiSpec.addEndpoint: path',
    (path) => new OpenApiSpec('A', '1').addEndpoint(path, 'GET', '', undefined, 'string'),
  ],
  [
    'OpenApiSpec.addEndpoint: method',
    (method) => new OpenApiSpec('A', '1').addEndpoint('/a', method, '', undefined, 'string'),
  ],
  ['OpenApiSpec.addSchema: name', (name) => new OpenApiSpec('A', '1').addSchema(name, { type: 'string' })],
  ['new OpenApiBuilder', (value) => new OpenApiBuilder().title(value).version('1').build(), ['text']],
  ['openApiFromApp: app', (value) => openApiFromApp(value, { title: 'A', version: '1' })],
  ['openApiFromApp: options', (options) => openApiFromApp(new App(), options)],
  ['clientFromApp: app', (value) => clientFromApp(value)],
  ['clientFromApp: options', (options) => clientFromApp(new App(), options), OPTIONAL],
];
