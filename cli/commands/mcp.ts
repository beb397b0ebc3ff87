// `fw mcp`: what `fw dev` knows, for coding agents.
import { Command } from 'commander';

export const command: Command = new Command('mcp')
  .description('Give coding agents the tools of the running fw dev, over standard input and output.')
  .addHelpText(
    'after',
    `
It speaks the Model Context Protocol: a client starts it, and it finds the
fw dev of the project, also one that starts later. It starts none itself;
without one, the documentation can be searched. While fw dev runs, clients
can use the same tools at its address with the path /_fw/mcp.

Examples:
  claude mcp add fw -- npx fw mcp    in Claude Code

Exit codes: 0 the input has ended, 1 failed, 2 wrong usage.`,
  )
  .action(async () => {
    const { serveMcp } = await import('../mcp-command/serve-mcp.js');
    await serveMcp();
  });
