// `fw completion`: prints the script with which a shell completes the words after `fw`.
import { Argument, Command } from 'commander';
import { type Shell, scripts, shells } from '../completion/scripts.js';

export const command: Command = new Command('completion')
  .description('Print the script with which a shell completes commands, flags, templates\nand procedures.')
  .addArgument(new Argument('<shell>', 'the shell').choices(shells))
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
The shell must find fw: install it globally, or put ./node_modules/.bin in PATH.

Examples:
  eval "$(fw completion bash)"                                in ~/.bashrc
  source <(fw completion zsh)                                 in ~/.zshrc
  fw completion fish > ~/.config/fish/completions/fw.fish     once
  fw completion powershell | Out-String | Invoke-Expression   in $PROFILE`,
  )
  .action((shell: Shell) => {
    process.stdout.write(scripts[shell]);
  });
