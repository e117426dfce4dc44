"""Pages are run and written anew: what a comment means, which lines stay, what is refused."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from tools.pages import shell as running
from tools.pages.__main__ import main
from tools.pages.commands import NotRead, Pipeline, Step, commands, pipeline
from tools.pages.excerpt import Lost, excerpt
from tools.pages.files import lay_out
from tools.pages.items import PageError, items
from tools.pages.rewrite import rewrite
from tools.pages.shell import shell


def page(folder: Path, text: str, name: str = "page.md") -> Path:
    path = folder / name
    path.write_text(dedent(text), "utf-8")
    return path


def written(folder: Path, text: str, *, slow: bool = True) -> str:
    """A page with new outputs."""
    return rewrite(page(folder, text), slow=slow)


ALL = "a b c d e f g".split()


@pytest.mark.parametrize(
    ("shown", "printed", "chosen"),
    [
        pytest.param([], ALL, ALL, id="all"),
        pytest.param(["a", "x"], ALL, ALL, id="all anew"),
        pytest.param(["a", "..."], ALL, ["a", "..."], id="as it was"),
        pytest.param(["x", "y", "..."], ALL, ["a", "b", "..."], id="as many at the start"),
        pytest.param(["...", "x", "y"], ALL, ["...", "f", "g"], id="as many at the end"),
        pytest.param(["x", "c", "..."], ALL, ["a", "b", "c", "..."], id="up to its last line"),
        pytest.param(["...", "e", "x"], ALL, ["...", "e", "f", "g"], id="from its first line"),
        pytest.param(["...", "b", "x", "d", "..."], ALL, ["...", "b", "c", "d", "..."], id="both"),
        pytest.param(["...", "b", "x", "..."], ALL, ["...", "b", "c", "..."], id="the first"),
        pytest.param(["...", "x", "c", "..."], ALL, ["...", "b", "c", "..."], id="the last"),
        pytest.param(
            ["...", "b    9  1", "..."],
            ["a 9 1", "b   10  1", "b 1"],
            ["...", "b   10  1", "..."],
            id="other numbers",
        ),
        pytest.param(["a", "...", "c", "...", "g"], ALL, ["a", "...", "c", "...", "g"], id="parts"),
        pytest.param(
            ["...", "b", "x", "y", "", "..."],
            ["b", "", "c", "", "d", ""],
            ["...", "b", "", "c", "", "..."],
            id="the nearest of many",
        ),
    ],
)
def test_a_page_shows_the_same_lines_again(
    shown: list[str], printed: list[str], chosen: list[str]
) -> None:
    assert excerpt(shown, printed) == chosen


def test_a_part_that_is_no_longer_there_is_named() -> None:
    with pytest.raises(Lost, match=r"^x$"):
        excerpt(["...", "x", "..."], ALL)
    with pytest.raises(Lost, match=r"^a$"):  # It is behind what comes before it on the page.
        excerpt(["...", "b", "...", "a", "..."], ALL)


@pytest.mark.parametrize("left_out", [[], ["..."]])
def test_what_varies_stays_if_nothing_else_changes(left_out: list[str]) -> None:
    shown, varies = [*left_out, "2 passed in 1.5s"], [r"in [\d.]+s"]
    assert excerpt(shown, ["x"] * len(left_out) + ["2 passed in 7.0s"], varies) == shown
    printed = ["x"] * len(left_out) + ["3 passed in 7.0s"]
    assert excerpt(shown, printed, varies)[-1] == "3 passed in 7.0s"


def test_commands_have_their_outputs() -> None:
    one, two = commands("$ one \\\n    --more\n\nout\n\n$ two\n")
    assert (one.line, one.output, one.place) == ("one --more", ("", "out"), 0)
    assert (two.line, two.output, two.place) == ("two", (), 5)
    assert one.written == ("$ one \\", "    --more")
    for text, found in (("one\n", "one"), ("# Why\n", "# Why"), ("", "")):
        with pytest.raises(NotRead, match=f"found '{found}'$"):
            [*commands(text)]


def test_commands_are_read_as_a_shell_reads_them() -> None:
    assert pipeline("echo 'a | b' | python x.py < 'a file' > out  # why") == Pipeline(
        (Step(("echo", "a | b")), Step(("python", "x.py"), "a file")), "out"
    )
    assert pipeline("rsp-conformance --dial bounds='[o,c)' :s=s.jsonl t0=…").steps[0].words == (
        "rsp-conformance",
        "--dial",
        "bounds=[o,c)",
        ":s=s.jsonl",
        "t0=…",
    )


@pytest.mark.parametrize(
    "line", ["a && b", "a; b", "a >> b", "a > b > c", "a | | b", "a & ", "a $(b)", "echo 'a", "< a"]
)
def test_a_command_that_needs_more_of_a_shell_is_refused(line: str) -> None:
    with pytest.raises(NotRead):
        pipeline(line)


def test_a_page_is_written_anew(tmp_path: Path) -> None:
    text = """\
        # A page

        <!-- file: greet.py -->
        ```python
        for line in open("names"):
            print("hello", line.strip())
        print("bye")
        ```

        <!-- file: names
        Ann
        -->
        1. In a list:

            <!-- run -->
            ```console
            $ python greet.py
            hi
            $ cat names | python -c "print(input() \\
                + '!')" > out
            $ cat out
            ```

        <!-- edit: greet.py: for -->
        ```python
        for line in ["Bob"]:
            print("hi", line)
        ```

        <!-- run
        $ python greet.py
        -->
        <!-- output -->
        ```
        ```

        <!-- part -->
        ```text
        bye
        ```

        ```console
        $ python greet.py
        unmarked
        ```
        """
    new = written(tmp_path, text)
    shown = ["hello Ann", "bye", "Ann!", "hi Bob\nbye"]
    expected = dedent(text).replace("    hi\n", f"    {shown[0]}\n    {shown[1]}\n", 1)
    expected = expected.replace("$ cat out\n", f"$ cat out\n    {shown[2]}\n")
    expected = expected.replace("```\n```\n", f"```\n{shown[3]}\n```\n", 1)
    assert new == expected
    assert written(tmp_path, new) == new


def test_blocks_in_python_share_their_names(tmp_path: Path) -> None:
    text = "<!-- run -->\n```python\n{}\n```\n\n<!-- output -->\n```\n{}\n```\n"
    two = text.format("x = 1\nprint(x)", "old") + text.format("print(x + 1)", "old")
    assert written(tmp_path, two) == two.replace("old", "1", 1).replace("old", "2", 1)
    with pytest.raises(PageError, match=r"page\.md:3: .* NameError"):
        written(tmp_path, text.format("y", "old"))


def test_slow_commands_are_left_out(tmp_path: Path) -> None:
    text = "<!-- run: slow -->\n```console\n$ echo new\nold\n```\n\n<!-- part -->\n```\nold\n```\n"
    assert written(tmp_path, text, slow=False) == text
    with pytest.raises(PageError, match=r"page\.md:9: the output no longer has the line 'old'"):
        written(tmp_path, text)


def test_what_is_quiet_or_skipped_shows_no_output(tmp_path: Path) -> None:
    text = "<!-- run -->\n<!-- quiet -->\n```console\n$ echo new\n```\n"
    assert written(tmp_path, text) == text
    text = "<!-- skip: pip -->\n<!-- run -->\n```console\n$ pip install x\nold\n$ echo new\n```\n"
    assert written(tmp_path, text) == text.replace("echo new\n", "echo new\nnew\n")


def test_a_comment_above_the_first_command_stays(tmp_path: Path) -> None:
    text = "<!-- run -->\n```console\n# Why\n$ echo new\n```\n"
    assert written(tmp_path, text) == text.replace("echo new\n", "echo new\nnew\n")


def test_standard_error_is_shown_as_on_a_terminal(tmp_path: Path) -> None:
    code = "import sys; print(1); print(2, file=sys.stderr); print(3)"
    text = f'<!-- run -->\n```console\n$ python -c "{code}"{{}}\n{{}}```\n'
    assert written(tmp_path, text.format("", "")) == text.format("", "1\n2\n3\n")
    assert written(tmp_path, text.format(" > out", "")) == text.format(" > out", "2\n")


def test_the_environment_is_the_same_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    code = "import os, sys; print(os.environ.get('CI'), os.environ['COLUMNS'], sys.prefix)"
    with shell() as there:
        by_name = "import subprocess as s, sys; s.run(['python', *sys.argv[1:]])"
        printed = there.run(Pipeline((Step(("python", "-c", by_name, "-c", code)),)))
        folder = there.folder
    assert printed.split()[:2] == ["None", "80"]
    assert printed.split()[2] == sys.prefix
    assert not folder.parent.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- run -->\n\nText\n", "1: expected a block of code right below the comment"),
        ("<!-- rnu -->\n```console\n$ echo 1\n```\n", "3: expected one comment of .* found rnu"),
        ("<!-- quiet -->\n```console\n$ echo 1\n```\n", "3: expected one comment of .* found none"),
        ("<!-- run: fast -->\n```console\n$ echo 1\n```\n", "3: expected '' or 'slow' for run"),
        ("<!-- run: slow -->\n```python\n1\n```\n", "3: expected '' for run, found 'slow'"),
        ("<!-- run -->\n```console\n$ # no\n```\n", "3: expected PROGRAM"),
        ("<!-- run -->\n```console\n$ rm x\n```\n", "3: expected a program of .*, found 'rm'"),
        ("<!-- run -->\n```console\n$ cat\n$ cat x\n```\n", "4: 'cat x': .*No such file"),
        ("<!-- part -->\n```text\nx\n```\n", "3: expected something above it that is run"),
        ("<!-- file: ../x -->\n```text\nx\n```\n", "3: expected the name of a file"),
        (
            "<!-- file: x\na\na\n-->\n<!-- edit: x: a -->\n```text\nb\n```\n",
            "7: expected one line that begins with 'a', found 2",
        ),
    ],
)
def test_a_page_that_cannot_be_run_is_named_with_the_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(PageError, match=rf"page\.md:{message}"):
        written(tmp_path, text)


def test_other_comments_are_left_alone(tmp_path: Path) -> None:
    path = page(tmp_path, "<!-- table -->\n| a |\n|---|\n<!-- /table -->\n\n```text\nx\n```\n")
    assert [*items(path)] == []


def test_files_are_laid_out_before_and_behind_an_edit(tmp_path: Path) -> None:
    text = (
        '<!-- file: x -->\n```python\ndef f():\n    a = {\n        "b": 1,\n    }\n    c = 2\n```\n'
    )
    text += "<!-- edit: x: a = -->\n```python\na = [\n    3]\n```\n<!-- edit: x: c\nd = 4\n-->\n"
    first = page(tmp_path, text)
    other = page(tmp_path, "<!-- files: page.md -->\n<!-- copy: page.md -->\n", "other.md")
    found = []
    for source, edits in ((first, 0), (first, 1), (other, None)):
        lay_out(source, tmp_path, edits)
        found.append((tmp_path / "x").read_text("utf-8").splitlines()[1:])
    assert found == [
        ["    a = {", '        "b": 1,', "    }", "    c = 2"],
        ["    a = [", "        3]", "    }", "    c = 2"],
        ["    a = [", "        3]", "    }", "    d = 4"],
    ]


def test_a_command_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LIMIT", 2.0)
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    code = (
        f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {child!r}]);"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid)); p.wait()"
    )
    with shell() as there, pytest.raises(subprocess.TimeoutExpired):
        there.python(["-c", code], "", together=True)
    until = time.monotonic() + 5
    with suppress(psutil.NoSuchProcess):
        left = psutil.Process(int((tmp_path / "pid").read_text()))
        while left.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < until


def test_the_command_writes_the_pages_that_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "<!-- run -->\n```console\n$ echo new\nold\n```\n"
    first, second = page(tmp_path, text), page(tmp_path, text.replace("old", "new"), "same.md")
    bad = page(tmp_path, "<!-- run -->\n```console\n$ rm x\n```\n", "bad.md")
    assert main([str(first), str(second)]) == 0
    assert first.read_text("utf-8") == second.read_text("utf-8") == text.replace("old", "new")
    assert capsys.readouterr().out == f"{first}: written anew\n"
    assert main([str(bad), str(second)]) == 1
    assert capsys.readouterr().err.startswith(f"{bad}:3: expected a program")
