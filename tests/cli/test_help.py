"""Help shows options by headings, the five that matter first before all; old names are refused."""

from __future__ import annotations

import click
import pytest

from gin_sim import __version__
from gin_sim.cli import _COMMANDS, group
from gin_sim.cli.options.groups import FIRST, MAIN, Command, heading_of


def commands():
    """Every command that takes options, by the words that call it."""
    context = click.Context(group)
    for name in _COMMANDS:
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            inner = click.Context(command)
            for each in command.list_commands(inner):
                yield f"{name} {each}", command.get_command(inner, each)
        else:
            yield name, command


COMMANDS = dict(commands())


def options_of(command):
    return {option.opts[0] for option in command.params if isinstance(option, click.Option)} - {
        "--help"
    }


@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_of_a_long_command_stands_under_a_heading_of_its_own(words):
    command = COMMANDS[words]
    assert isinstance(command, Command), f"{words} has no headings"
    if command.name not in FIRST:
        return
    for option in options_of(command):
        assert heading_of(option) != "Other options", f"{option} of {words} has no heading"


@pytest.mark.parametrize("name", FIRST)
def test_the_five_options_that_matter_stand_before_all_others(name):
    (command,) = (each for each in COMMANDS.values() if each.name == name)
    assert len(FIRST[name]) == 5
    assert set(FIRST[name]) <= options_of(command)
    shown = command.get_help(click.Context(command, info_name=name))
    assert shown.index(MAIN) > shown.index("xample")
    places = [shown.index(f"\n  {option} ") for option in FIRST[name]]
    assert places == sorted(places)
    others = [f"\n  {option} " for option in options_of(command) - set(FIRST[name])]
    assert all(shown.index(other) > places[-1] for other in others if other in shown)


@pytest.mark.parametrize(
    ("arguments", "old", "new"),
    [
        (["knock", "--opponent", "simple"], "--opponent", "--against"),
        (["knock", "--stray", "known"], "--stray", "--deviation"),
        (["knock", "--record", "hands.jsonl"], "--record", "--records"),
        (["belief", "calibrate", "--opponent", "simple"], "--opponent", "--against"),
        (["simulate", "greedy", "simple", "--baseline"], "--baseline", "--luck-adjusted"),
        (["replay", "hands.jsonl", "--write", "x"], "--write", "--record"),
    ],
    ids=" ".join,
)
def test_an_earlier_name_is_refused_with_the_present_one(run, arguments, old, new):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert f"{old} is called {new} now: give {new} instead." in err


def test_the_policy_that_a_sweep_varies_is_asked_for_by_its_option(run):
    code, out, err = run("sweep", "greedy", "--param", "knock=0:10", "--both")
    assert (code, out) == (2, "")
    assert "write --play greedy" in err


def test_help_is_as_wide_as_the_terminal():
    def widest(columns):
        context = click.Context(
            COMMANDS["solve"], info_name="solve", terminal_width=columns, max_content_width=columns
        )
        lines = COMMANDS["solve"].get_help(context).split(MAIN)[1].splitlines()
        return max(map(len, lines))

    assert widest(80) <= 80 < widest(118) <= 118


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_is_shown(run, option):
    code, out, err = run(option)
    assert (code, err) == (0, "")
    assert __version__ in out
