// The completion scripts: each asks `fw complete` for the candidates, so that they are those of the installed version.

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of fw for bash. In ~/.bashrc: eval "$(fw completion bash)"
# bash inserts a word as it is: only what means nothing else to it.
_fw_word() { [[ $1 =~ ^[A-Za-z0-9_@-][A-Za-z0-9_.@/-]*$ ]]; }
# bash 3.2, which macOS has, knows no compopt.
_fw_paths() {
  local path
  if type compopt >/dev/null 2>&1; then compopt -o "$1"; return; fi
  while IFS= read -r path; do
    _fw_word "$path" && COMPREPLY+=("$path")
  done <<< "$(compgen -o "$1" -- "\${COMP_WORDS[COMP_CWORD]}")"
}
_fw() {
  local line lines
  lines=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) _fw_paths default ;;
      :directories) _fw_paths dirnames ;;
      *) _fw_word "\${line%%$'\\t'*}" && COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done <<< "$lines"
}
complete -F _fw fw
`,
  zsh: `#compdef fw
# Completion of fw for zsh. In ~/.zshrc, after compinit: source <(fw completion zsh)
_fw() {
  local line
  local -a lines found
  lines=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    case $line in
      :files) _files; return ;;
      :directories) _files -/; return ;;
      *$'\\t'*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      ?*) found+=("\${line//:/\\\\:}") ;;
    esac
  done
  _describe fw found
}
compdef _fw fw
`,
  fish: `# Completion of fw for fish: fw completion fish > ~/.config/fish/completions/fw.fish
function __fw_complete
    set -l before (commandline -opc)
    for line in ($before[1] complete -- $before[2..] (commandline -ct) 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':directories'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c fw -f -a '(__fw_complete)'
`,
  powershell: `# Completion of fw for PowerShell 5.1 and newer. In $PROFILE: fw completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName fw -ScriptBlock {
    param($typed, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursor } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    if ($typed -eq '') { $words += '' }
    # In a variable: PowerShell drops empty arguments and --, and cmd, which runs fw.cmd, acts on what is in others.
    $env:FW_COMPLETE = $words -join "\`n"
    try {
        & $line.GetCommandName() complete 2>$null | ForEach-Object {
            $word, $about = "$_".Split([char]9, 2)
            if (-not $word -or $word.StartsWith(':')) { return }
            if (-not $about) { $about = $word }
            # @ begins a splatted variable.
            $text = if ($word.StartsWith('@')) { "'$word'" } else { $word }
            [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
        }
    } finally {
        Remove-Item Env:FW_COMPLETE -ErrorAction SilentlyContinue
    }
}
`,
};
