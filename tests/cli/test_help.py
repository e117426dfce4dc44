"""The help shows commands in groups, and examples that can be run; a shell completes names."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import typer

from rsp_conformance.cli.main import COMMANDS, NAME, PANELS, app, main
from rsp_conformance.files.profiles import profile_names
from rsp_conformance.protocol import registry
from tests.builders.command_line import FIXTURES, cli, program, run_process

LONGER = ("engines install", "engines check", "fuzz report")
QUICK = (
    "answers",
    "judge",
    "lars",
    "examples",
    "profiles",
    "features",
    "mutants",
    "protocol",
    "export",
)
"""Commands whose examples take no engine, no network and no minutes: they are run."""


def examples(command: str) -> list[list[str]]:
    """The arguments of each example in the help of a command, without what the shell reads."""
    _, _, shown = cli(*command.split(), "--help").out.partition("\nExamples:\n")
    lines = [shlex.split(line) for line in shown.replace("\\\n", "").splitlines()]
    ours = [line[1:] for line in lines if line and line[0] == NAME]
    return [re.split(r"\0[|>]", "\0".join(line))[0].split("\0") for line in ours]


def test_a_line_that_goes_on_is_indented_below_its_beginning() -> None:
    lines = cli("lars", "--help").out.splitlines()
    (first,) = [n for n, line in enumerate(lines) if line.endswith("\\")]
    assert lines[first].startswith(f"  {NAME} lars ")
    assert lines[first + 1].startswith("    --stream ")


def test_commands_are_in_groups_and_a_status_has_its_meaning() -> None:
    ran = cli()
    shown = ran.out
    assert ran == cli("--help") and (ran.status, ran.err) == (0, "")
    for panel, commands in PANELS.items():
        listed = shown.partition(f"\n{panel}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in listed.splitlines()] == [*commands]
    statuses = shown.partition("\nExit status:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in statuses.splitlines()] == [*"0123"]


@pytest.mark.parametrize("command", [*COMMANDS, *LONGER])
def test_every_command_has_help_and_examples_that_are_understood(command: str) -> None:
    """The list says of a command what its own help says."""
    ran = cli(*command.split(), "--help")
    assert ran.status == 0 and ran.err == ""
    assert f"Usage: rsp-conformance {command}" in ran.out
    assert not re.search(r"\w\.\.\.\n", ran.out), "no sentence is cut"
    assert max(map(len, ran.out.splitlines())) <= 80
    if command in COMMANDS:
        _, _, said, *_ = ran.out.splitlines()
        assert said.strip().startswith(COMMANDS[command][1])
    found = examples(command)
    assert found
    for arguments in found:
        found_command, context = typer.main.get_command(app), None
        rest, name = arguments, NAME
        while True:
            context = found_command.make_context(name, list(rest), parent=context)
            left = [*getattr(context, "_protected_args", ()), *context.args]
            if not left:
                break
            name, found_command, rest = found_command.resolve_command(context, left)  # type: ignore[attr-defined]
        assert context.command_path.startswith(f"{NAME} {command.split(maxsplit=1)[0]}")


@pytest.mark.parametrize("command", QUICK)
def test_examples_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file, example in (("Q.rq", "rsp-ql/ex6.rq"), ("s.jsonl", "rsp-ql/S_nearby.jsonl")):
        Path(file).write_text((FIXTURES / example).read_text().replace("S_nearby", "s"))
    Path("answers.json").write_text(json.dumps({"answers": []}))
    for arguments in examples(command):
        if "--crash" not in arguments:
            ran = cli(*arguments)
            assert ran.status in ({0, 1} if command == "judge" else {0}), ran


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rsp-conformance e", {"examples", "engines", "export"}),
        ("rsp-conformance engines ", {"install", "check"}),
        ("rsp-conformance engines check refer", {"reference"}),
        ("rsp-conformance burnin --engine ", set(registry.names())),
        ("rsp-conformance judge --profile ", set(profile_names())),
        ("rsp-conformance matrix --property windows", {"windows"}),
        ("rsp-conformance answers --language c-", {"c-sparql"}),
        ("rsp-conformance answers --sta", {"--static"}),
        ("rsp-conformance no-such-command --sta", set()),
    ],
)
def test_a_shell_completes(
    line: str,
    offered: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = line.split(" ")
    monkeypatch.setenv("_RSP_CONFORMANCE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit):
        main([])
    assert set(capsys.readouterr().out.split()) == offered


def test_the_script_for_a_shell_is_one_that_bash_reads() -> None:
    script = run_process("--show-completion", env={"SHELL": "/bin/bash"}).out
    name = re.search(r"complete .* -F (\S+) rsp-conformance", script)
    assert name is not None
    assert program("bash", "-c", f"{script}\ndeclare -F {name[1]}").well.strip() == name[1]
