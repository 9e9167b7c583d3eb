// Scripts by which a shell completes the words of the command.

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Without dashes. */
  readonly flags: readonly string[];
  /** Words that may follow, where there are only a few. */
  readonly words?: readonly string[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** `commands`: the first is the one that runs when none is named. */
export function completionScript(shell: Shell, program: string, commands: readonly CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](program, commands);
}

function wordsAfter({ flags, words = [] }: CompletedCommand): string {
  return [...words, ...flags.map((flag) => `--${flag}`)].join(' ');
}

function cases(commands: readonly CompletedCommand[], line: (command: CompletedCommand) => string): string {
  return commands.map((command) => `    ${command.name}) ${line(command)} ;;`).join('\n');
}

/** Files and folders complete where no word of ours fits. */
function bash(program: string, commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const [first] = commands;
  return `# source <(${program} completion bash)
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
${cases(commands, (command) => `words="${wordsAfter(command)}"`)}
    *) words="${first === undefined ? '' : wordsAfter(first)}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names} $words"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

function zsh(program: string, commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, summary }) => `'${name}:${quoted(summary)}'`).join(' ');
  const [first] = commands;
  return `#compdef ${program}
# source <(${program} completion zsh)
_${program}() {
  local -a commands
  commands=(${names})
  case \${words[2]} in
${cases(commands, (command) => `set -- ${wordsAfter(command)}`)}
    *) set -- ${first === undefined ? '' : wordsAfter(first)} ;;
  esac
  (( CURRENT == 2 )) && _describe command commands
  compadd -- "$@"
  _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _${program} ${program}
`;
}

function fish(program: string, commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const [first] = commands;
  const none = `not __fish_seen_subcommand_from ${names}`;
  const lines = commands.flatMap((command) => {
    const seen = command === first ? `${none}; or __fish_seen_subcommand_from ${command.name}` : `__fish_seen_subcommand_from ${command.name}`;
    return [
      `complete -c ${program} -n '${none}' -f -a ${command.name} -d '${quoted(command.summary)}'`,
      ...(command.words ?? []).map((word) => `complete -c ${program} -n '${seen}' -f -a ${word}`),
      ...command.flags.map((flag) => `complete -c ${program} -n '${seen}' -l ${flag}`),
    ];
  });
  return `# ${program} completion fish | source\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', '\\:');
}
