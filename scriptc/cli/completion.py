"""`scriptc completion`: what a shell runs to complete the words of the command line.

Commands, options and choices come from the parser of the command line; the rest are file names.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

SHELLS = ("bash", "zsh", "fish")


class _Command(NamedTuple):
    """One command: its help, its options with their choices, and the choices of its arguments."""

    help: str
    options: Mapping[str, tuple[str, Sequence[str]]]
    words: Sequence[str]


def completion(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the program that completes words in a shell, which is one of `SHELLS`."""
    commands = dict(_commands(parser))
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)
    return "\n".join(lines) + "\n"


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, _Command]]:
    (commands,) = (a for a in _actions(parser) if isinstance(a.choices, dict))
    shown = cast("Sequence[argparse.Action]", getattr(commands, "_choices_actions"))  # noqa: B009
    helps = {action.dest: action.help or "" for action in shown}
    for name, own in cast("dict[str, argparse.ArgumentParser]", commands.choices).items():
        options: dict[str, tuple[str, Sequence[str]]] = {}
        words: list[str] = []
        for action in _actions(own):
            choices = [str(choice) for choice in action.choices or ()]
            if not action.option_strings:
                words += choices
            for option in action.option_strings:
                if option.startswith("--"):
                    options[option] = (action.help or "", choices)
        yield name, _Command(helps.get(name, ""), options, words)


def _actions(parser: argparse.ArgumentParser) -> Sequence[argparse.Action]:
    return parser._actions  # pyright: ignore[reportPrivateUsage] -- argparse has no other list


def _bash(commands: Mapping[str, _Command]) -> Iterator[str]:
    yield "_scriptc() {"
    yield "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words"
    yield "  COMPREPLY=()"
    yield "  case ${COMP_WORDS[1]}:$before in"
    for name, command in commands.items():
        for option, (_, choices) in command.options.items():
            if choices:
                yield f"    {name}:{option}) words='{' '.join(choices)}' ;;"
    for name, command in commands.items():
        yield f"    {name}:*) words='{' '.join([*command.options, *command.words])}' ;;"
    yield "  esac"
    yield f"  [ \"$COMP_CWORD\" = 1 ] && words='{' '.join(commands)} --version --help'"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -o bashdefault -F _scriptc scriptc"


def _zsh(commands: Mapping[str, _Command]) -> Iterator[str]:
    yield "#compdef scriptc"
    yield "_scriptc() {"
    yield "  local -a commands=("
    yield from (f"    {_quoted(f'{n}:{c.help}')}" for n, c in commands.items())
    yield "  )"
    yield "  if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield "  case $words[2] in"
    for name, command in commands.items():
        specs = [_zsh_option(option, *command.options[option]) for option in command.options]
        rest = f"'*:word:({' '.join(command.words)})'" if command.words else "'*:file:_files'"
        yield f"    {name}) shift words; (( CURRENT-- )); _arguments {' '.join([*specs, rest])} ;;"
    yield "  esac"
    yield "}"
    yield "compdef _scriptc scriptc"


def _zsh_option(option: str, text: str, choices: Sequence[str]) -> str:
    told = text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    return _quoted(f"{option}[{told}]" + (f":choice:({' '.join(choices)})" if choices else ""))


def _fish(commands: Mapping[str, _Command]) -> Iterator[str]:
    none = "__fish_use_subcommand"
    for name, command in commands.items():
        yield f"complete -c scriptc -n {none} -f -a {name} -d {_quoted(command.help)}"
    for name, command in commands.items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for word in command.words:
            yield f"complete -c scriptc {seen} -f -a {word}"
        for option, (text, choices) in command.options.items():
            values = f" -x -a {_quoted(' '.join(choices))}" if choices else ""
            yield f"complete -c scriptc {seen} -l {option[2:]} -d {_quoted(text)}{values}"


def _quoted(text: str) -> str:
    """Return a text as one word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"
