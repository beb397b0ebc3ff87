// OpenAPI: the operation of a route that answers the Model Context Protocol, whose document is the list of its tools.
import type { Route } from '../../app/routes/route-table.js';
import { toolName } from '../../mcp/tools/tool-name.js';
import type { OpenApiOperation } from '../openapi-spec.js';

/** Undefined if the route answers something else. @param ids that operations have already */
export function mcpOperation({ mcp }: Route, ids: ReadonlySet<string>): OpenApiOperation | undefined {
  if (mcp === undefined) return undefined;
  const tools = mcp.procedures.map(({ name }) => `\`${toolName(name)}\``).sort();
  const message = { schema: { type: 'object' } } as const;
  let operationId = 'mcp';
  for (let count = 2; ids.has(operationId); count++) operationId = `mcp${count}`;
  return {
    operationId,
    summary: 'Model Context Protocol',
    description: `For clients of models. Its method \`tools/list\` describes the tools: ${tools.join(', ')}.`,
    requestBody: { required: true, content: { 'application/json': message } },
    responses: {
      200: {
        description: 'The answer, or a stream that ends with it.',
        content: { 'application/json': message },
      },
      202: { description: 'A notification was taken.' },
    },
  };
}
