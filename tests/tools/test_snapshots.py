"""`python -m tools.snapshots`: a red run says what it said before, and nothing of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance import __version__
from tools import snapshots
from tools.snapshots import DATA, differences, masked
from tools.snapshots import __main__ as command


@pytest.mark.slow
def test_a_red_run_says_what_it_said_before() -> None:
    different = differences(snapshots.red_run())
    assert not different, f"python -m tools.snapshots --keep writes this anew:\n{different}"


def test_a_run_that_is_not_red_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="ended with status 4"):
        snapshots.red_run("--no-such-option")


@pytest.mark.parametrize(
    ("file", "written", "left"),
    [
        ("run.json", '{\n "seconds": 2.5,\n "t": 3\n}', '{\n "seconds": "TIME",\n "t": 3\n}'),
        ("run.json", '"started": "2026-11-27T14:22:14+00:00"', '"started": "TIME"'),
        ("index.html", "<p>2 cases in 1 min 22 s.</p>", "<p>2 cases in TIME.</p>"),
        ("index.html", "<dd>2026-11-27 14:22 UTC</dd><dd>9 s</dd>", "<dd>TIME</dd><dd>TIME</dd>"),
        ("index.html", 'href="data:x/y;base64,ew0=">', 'href="data:x/y;base64,CRASH">'),
        ("earl.ttl", "_:a1 a _:b2 . _:a1", "_:b0 a _:b1 . _:b0"),
        (
            "terminal.txt",
            "platform linux\nrootdir: /home/me/x\nrsp-conformance: --rsp-seed=1\n"
            "2 workers [4 items]\n\nF\n____ windows ____\nin /home/me/x\nrsp F    [100%]\n"
            "rsp \n   [100%]\n\nF.F\n== 2 failed, 7 deselected in 60.11s (0:01:00) ==\n",
            "rsp-conformance: --rsp-seed=1\n\n____ windows ____\nin FOLDER\n\n2 failed in TIME\n",
        ),
        ("run.json", f'"{__version__}", "1{__version__}"', f'"VERSION", "1{__version__}"'),
    ],
)
def test_times_folders_and_versions_are_masked(file: str, written: str, left: str) -> None:
    assert masked(file, written, "/home/me/x") == left


def test_differences_are_shown_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {"run.json": "a\nc\n"}
    monkeypatch.setattr(command, "red_run", lambda: found)
    (tmp_path / "run.json").write_text("a\nb\n", "utf-8")
    given = ["--folder", str(tmp_path)]
    assert command.main(given) == 1
    assert "-b\n+c\n" in capsys.readouterr().out
    assert command.main([*given, "--keep"]) == 0
    assert command.main(given) == 0
    assert "no difference" in capsys.readouterr().out


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 300_000
