// An app with what the official client and the conformance suite ask for: run with `http` or `stdio`.
import { EventEmitter, on } from 'node:events';
import { App, requireScope } from 'fw';
import {
  clientCapabilities,
  elicitation,
  type McpInputRequest,
  reportProgress,
  requestInput,
  serveMcpStdio,
  toolContent,
} from 'fw/mcp';
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const input = z.object({});
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

const rpc = new RpcRegistry();

// What the conformance suite names.
rpc
  .query(
    'test_simple_text',
    { input, description: 'A text.', mcp: true },
    () => 'This is a simple text response for testing.',
  )
  .query('test_image_content', { input, description: 'An image.', mcp: true }, () => toolContent([image]))
  .query('test_audio_content', { input, description: 'A sound.', mcp: true }, () =>
    toolContent([{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  )
  .query('test_embedded_resource', { input, description: 'A resource.', mcp: true }, () =>
    toolContent([
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ]),
  )
  .query('test_multiple_content_types', { input, description: 'Several.', mcp: true }, () =>
    toolContent([
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ]),
  )
  .query(
    'test_error_handling',
    { input, description: 'Fails.', errors: { failed: {} }, mcp: true },
    (_, { errors }) => {
      throw errors.failed({ message: 'This tool intentionally returns an error for testing' });
    },
  )
  .query('test_tool_with_progress', { input, description: 'Reports.', mcp: true }, async (_, { ctx }) => {
    for (const progress of [0, 50, 100]) {
      reportProgress(ctx, { progress, total: 100, message: `${progress} %` });
      await pause();
    }
    return 'done';
  })
  .query('test_logging_tool', { input, description: 'Does not log to the client.', mcp: true }, () => 'done')
  .query(
    'staticText',
    { input, description: 'A text.', mcp: { resource: 'test://static-text' } },
    () => 'This is the content of the static text resource.',
  )
  .query('staticBinary', { input, description: 'An image.', mcp: { resource: 'test://static-binary' } }, () =>
    toolContent([image]),
  )
  .query(
    'template',
    {
      input: z.object({ id: z.string() }),
      description: 'Data.',
      mcp: { resource: 'test://template/{id}/data' },
    },
    ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
  )
  .query(
    'test_simple_prompt',
    { input, description: 'A prompt.', mcp: { prompt: true } },
    () => 'This is a simple prompt for testing.',
  )
  .query(
    'test_prompt_with_arguments',
    {
      input: z.object({ arg1: z.string(), arg2: z.string() }),
      description: 'A prompt.',
      mcp: { prompt: true },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  )
  .query(
    'test_prompt_with_embedded_resource',
    { input: z.object({ resourceUri: z.string() }), description: 'A prompt.', mcp: { prompt: true } },
    ({ resourceUri: uri }) =>
      toolContent([
        {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ]),
  )
  .query('test_prompt_with_image', { input, description: 'A prompt.', mcp: { prompt: true } }, () =>
    toolContent([image, { type: 'text', text: 'Please analyze the image above.' }]),
  );

const text = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});
const agreed = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const name = elicitation('What is your name?', text('name'));
const roots: McpInputRequest = { method: 'roots/list', params: {} };

function written(what: string): McpInputRequest {
  const messages = [{ role: 'user', content: { type: 'text', text: what } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } };
}

/** A tool that asks for all of it, and gives the answers. */
function asking(tool: string, requests: Readonly<Record<string, McpInputRequest>>): void {
  rpc.mutation(tool, { input, description: 'Asks.', mcp: true }, (_, { ctx }) =>
    JSON.stringify(requestInput(ctx, requests)),
  );
}
asking('test_input_required_result_elicitation', { user_name: name });
asking('test_input_required_result_sampling', {
  capital_question: written('What is the capital of France?'),
});
asking('test_input_required_result_list_roots', { client_roots: roots });
asking('test_input_required_result_tampered_state', { confirm: elicitation('Please confirm', agreed) });
asking('test_input_required_result_multiple_inputs', {
  user_name: name,
  greeting: written('Generate a greeting'),
  client_roots: roots,
});
asking('test_missing_capability', { greeting: written('Generate a greeting') });
asking('test_streaming_elicitation', { user_name: name });
rpc
  .mutation(
    'test_input_required_result_request_state',
    { input, description: 'Asks.', mcp: true },
    (_, { ctx }) => {
      requestInput(ctx, { confirm: elicitation('Please confirm', agreed) });
      return 'state-ok';
    },
  )
  .mutation(
    'test_input_required_result_multi_round',
    { input, description: 'Asks twice.', mcp: true },
    (_, { ctx }) => {
      const first = requestInput(ctx, { step1: elicitation('Step 1: What is your name?', text('name')) });
      const second = requestInput(ctx, {
        step2: elicitation('Step 2: What is your favorite color?', text('color')),
      });
      return JSON.stringify([first, second]);
    },
  )
  .mutation(
    'test_input_required_result_capabilities',
    { input, description: 'Asks.', mcp: true },
    (_, { ctx }) => {
      const can = clientCapabilities(ctx) ?? {};
      const requests = {
        ...(can.elicitation !== undefined && { user_name: name }),
        ...(can.sampling !== undefined && { greeting: written('Generate a greeting') }),
      } as Record<string, McpInputRequest>;
      return JSON.stringify(requestInput(ctx, requests));
    },
  )
  .query(
    'test_input_required_result_prompt',
    { input, description: 'Asks.', mcp: { prompt: true } },
    (_, { ctx }) => {
      const requests = { user_context: elicitation('What context should the prompt use?', text('context')) };
      return `Use ${JSON.stringify(requestInput(ctx, requests))}`;
    },
  );

// What the tests beside it ask for.
const changes = new EventEmitter();
rpc
  .query(
    'board',
    { description: 'The board.', mcp: { resource: 'board://all', updates: 'boardChanged' } },
    () => ({ cards: 1 }),
  )
  .subscription('boardChanged', async function* (_, { signal }) {
    for await (const [value] of on(changes, 'change', { signal })) yield value;
  })
  .mutation(
    'touch',
    { input: z.object({ times: z.number() }), description: 'Changes the board.', mcp: true },
    ({ times }) => {
      for (let n = 0; n < times; n++) changes.emit('change', 'x'.repeat(1000));
      return { listeners: changes.listenerCount('change') };
    },
  )
  .mutation(
    'remove',
    {
      input: z.object({ id: z.string() }),
      description: 'Removes a card.',
      mcp: { destructive: true, confirm: 'Remove the card?' },
    },
    ({ id }) => ({ removed: id }),
  )
  .query('heap', { description: 'Used memory, in bytes.', mcp: true }, () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  })
  .query('hidden', { description: 'For staff.', use: [requireScope('staff')], mcp: true }, () => 'x');
changes.setMaxListeners(0);

const app = new App().mountMcp('/mcp', rpc, {
  name: 'everything',
  version: '1.0.0',
  instructions: 'Try everything.',
  maxListeners: 10_000,
});
if (process.argv[2] === 'stdio') {
  await serveMcpStdio(app, '/mcp');
} else {
  const { url } = await app.listen('127.0.0.1:0');
  console.log(`${url}/mcp`);
}
