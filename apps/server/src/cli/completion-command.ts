import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What may follow each command, by the words that lead to it. */
type Words = readonly (readonly [path: string, words: readonly string[]])[];

/** Adds the command that prints what makes a shell complete all others. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description(
      'print what makes a shell complete this command, such as: source <(petstore completion bash)',
    )
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => {
      const words = wordsOf(program, '');
      console.log(shell === 'fish' ? fish(words) : bash(words, shell === 'zsh'));
    });
}

function wordsOf(command: Command, path: string): Words {
  const { commands, options } = command;
  const names = commands.map((each) => each.name());
  const flags = options.flatMap(({ long }) => long ?? []);
  return [
    [path, [...names, ...flags, '--help']],
    ...commands.flatMap((each) => wordsOf(each, path === '' ? each.name() : `${path} ${each.name()}`)),
  ];
}

/** Its completion is on only where a user has turned it on, and bashcompinit needs it. */
const ZSH_FOR_BASH = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i }
autoload -U bashcompinit && bashcompinit
`;

/** Files are completed where nothing else fits. zsh understands what is for bash. */
function bash(words: Words, isZsh: boolean): string {
  const paths = words.map(([path]) => `'${path}'`).join('|');
  const cases = words.map(([path, each]) => `    '${path}') words='${each.join(' ')}' ;;`).join('\n');
  return `${isZsh ? ZSH_FOR_BASH : ''}_petstore() {
  local path='' next word words=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    next="\${path:+$path }$word"
    case "$next" in ${paths}) path="$next" ;; esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _petstore petstore`;
}

function fish(words: Words): string {
  return words
    .flatMap(([path, each]) => {
      const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
      const condition = path === '' ? '__fish_use_subcommand' : seen.join('; and ');
      return each.map((word) => {
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
        return `complete -c petstore -n '${condition}' ${what}`;
      });
    })
    .join('\n');
}
