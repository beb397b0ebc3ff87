// MCP: the names of tools.

/** The name of a procedure as a tool: models know no names with dots. */
export function toolName(procedure: string): string {
  return procedure.replaceAll('.', '_');
}
