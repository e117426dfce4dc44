"""Engines are found by name or by command line, and what is wrong is said in one line."""

import sys
import tomllib
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path

import pytest

from rsp_conformance.protocol import (
    Engine,
    EngineUnavailable,
    InProcessEngine,
    Log,
    ProtocolEngine,
    registry,
)
from rsp_conformance.protocol.registry import EngineEntry, EngineSpecError
from tests.builders import wire
from tests.builders.drivers import Replying

HELLO = {**wire.HELLO, "engine": "own"}


METADATA = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
OWN_NAMES = set(METADATA["project"]["entry-points"][registry.GROUP])

seen: list[object] = []


def own_connect(options: dict[str, str], time_limit: float, log: Log | None = None) -> Engine:
    seen[:] = [options, time_limit]
    if options.get("mode") == "odd":
        raise ValueError("mode 'odd': expected even")
    return InProcessEngine(Replying(engine="own"))


OWN = EngineEntry("own", "an engine of another package", own_connect, {"mode": "even, or nothing"})
ABSENT = EngineEntry(
    "absent", "not installed", own_connect, installed=lambda: False, install=lambda: "done"
)
JARS = EngineEntry(
    "jars",
    "an engine whose jars the user has",
    own_connect,
    {"jars": "where they are"},
    installed=lambda: False,
    install_jars=lambda folders: "got " + ", ".join(folders),
)
NO_ENTRY = {"name": "no-entry"}


class Package(Distribution):
    """The distribution that the entry points of these tests come from."""

    def read_text(self, filename: str) -> str | None:
        return "Name: other-package\n" if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        raise AssertionError("nothing of it is read")


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points as an engine package's metadata would give them, good and bad."""
    monkeypatch.setitem(sys.modules, "other_package", sys.modules[__name__])

    def points(group: str) -> list[EntryPoint]:
        assert group == "rsp_conformance.engines"
        written = {
            "own": "other_package:OWN",
            "absent": "other_package:ABSENT",
            "jars": "other_package:JARS",
            "no-entry": "other_package:NO_ENTRY",
            "no-object": "other_package:MISSING",
            "no-module": "no_such_module_anywhere:X",
            "reference": "other_package:OWN",
            "alias": "other_package:OWN",
            "rsp-js": "rsp_conformance.adapters.rsp_js.register:ENGINE",
        }
        return [
            EntryPoint(name, value, group)._for(Package())  # type: ignore[attr-defined]
            for name, value in written.items()
        ]

    monkeypatch.setattr(registry, "entry_points", points)


def test_the_kits_own_engines_are_known_without_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [])
    entries, problems = registry.registered()
    assert {entry.name for entry in entries} == OWN_NAMES
    assert problems == []


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("names", "engine"),
    [
        ("rsp_js RSPJS Rsp-JS", "rsp-js"),
        ("OWN", "own"),
        ("c-sparql C-SPARQL", "csparql"),
        ("rsp4j", "yasper"),
        ("CQELS-1", "cqels1"),
    ],
)
def test_an_engine_has_all_names_by_which_it_is_known(names: str, engine: str) -> None:
    """In other letters, and with other marks."""
    for name in (*names.split(), engine.replace("-", " ")):
        assert registry.find(name).name == engine


@pytest.mark.usefixtures("packages")
def test_a_name_that_could_be_two_engines_is_none_and_a_package_may_bring_a_driver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = registry._points()
    twice = {**found, "rspjs": found["own"]}
    monkeypatch.setattr(registry, "_points", lambda: (twice, []))
    assert registry.find("rsp-js").name == "rsp-js"
    with pytest.raises(EngineSpecError, match="unknown engine 'RSP_JS'"):
        registry.find("RSP_JS")
    monkeypatch.setattr(registry, "_points", lambda: ({"sparqlstream": found["own"]}, []))
    assert registry.find("SPARQLstream").name == "own"


@pytest.mark.usefixtures("packages")
def test_a_package_registers_its_engine_whose_features_may_be_declared_and_left_out() -> None:
    assert registry.find("own") is OWN
    with registry.connect("own", {"mode": "even"}, 7) as engine:
        assert engine.hello().engine == "own"
    assert seen == [{"mode": "even"}, 7]
    # It is not told by `installed`: an option may name them for one run.
    with registry.connect("jars", {"jars": "here"}) as engine:
        assert engine.hello().engine == "own"
    assert registry.asks_to_run("jars", {"jars": "here"}) == "jars with jars=here"
    options = {"declare": "minus, group-by", "without": " select,keyword-names,"}
    with registry.connect("own", options) as engine:
        found = engine.hello().features
    assert {"minus", "group-by", "without-keyword-names"} <= found
    assert "select" not in found


@pytest.mark.usefixtures("packages")
def test_broken_registrations_hide_no_other() -> None:
    entries, problems = registry.registered()
    assert {entry.name for entry in entries} == {"absent", "jars", "own", *OWN_NAMES}
    assert len(problems) == 5
    for problem in problems:
        assert "\n" not in problem
        assert "other-package" in problem
    text = "\n".join(problems)
    assert "'reference' of other-package is left out" in text
    assert "no_such_module_anywhere" in text
    assert "other_package:NO_ENTRY is no EngineEntry" in text
    assert "calls itself 'own'" in text


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("spec", "options", "said"),
    [
        ("refrence", {}, "unknown engine 'refrence'; did you mean 'reference'? (the engines are"),
        ("sparqlstrem", {}, "unknown engine 'sparqlstrem'; did you mean 'sparqlstream'?"),
        ("own", {"mod": "1"}, "unknown option 'mod'; did you mean 'mode'? (its options are mode,"),
        ("own", {"mode": "odd"}, "engine own: mode 'odd': expected even"),
        ("absent", {"x": "1"}, "unknown option 'x' (its options are declare, without)"),
        ("no-module", {}, "cannot be loaded from no_such_module_anywhere:X: ModuleNotFoundError"),
        ("stdio:", {}, "a command line has to follow"),
        ("stdio:a 'b", {}, "No closing quotation"),
        ("stdio:cat", {"fault": "x"}, "takes no engine option (fault)"),
        ("rsp-js", {"declare": "ask, optionl"}, "'optionl'; did you mean 'optional'"),
        ("yasper", {"without": "windows"}, "engine yasper: unknown feature 'windows'"),
        ("stdio:cat", {"without": "multiwindow"}, "did you mean 'multi-window'"),
    ],
)
def test_what_is_written_wrongly_is_said_in_one_line(
    spec: str, options: dict[str, str], said: str
) -> None:
    with pytest.raises(EngineSpecError) as caught:
        registry.connect(spec, options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_are_read() -> None:
    """Lists may be written as an option that is given several times."""
    given = ["fault=union-dedup", "without=ask,order", "fault=path-bag", "seed=1", "seed=2"]
    assert registry.parse_options([*given, "without=limit"]) == {
        "fault": "union-dedup,path-bag",
        "without": "ask,order,limit",
        "seed": "2",
    }
    assert registry.parse_options(["a=1", " b =x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    for wrong in ("a", "=1", ""):
        with pytest.raises(EngineSpecError, match="NAME=VALUE"):
            registry.parse_options([wrong])


DRIVER = """#!{python}
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps({{**{hello!r}, "engine": " ".join(sys.argv[1:])}}), flush=True)
"""


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    path = tmp_path / "a folder" / "driver"
    path.parent.mkdir()
    path.write_text(DRIVER.format(python=sys.executable, hello=HELLO))
    path.chmod(0o755)
    return path


def test_a_drivers_program_is_found_and_its_wire_can_be_watched(
    driver: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(driver.parent)
    engines = [
        registry.connect("stdio:./driver --flag 'two words'"),
        registry.connect("stdio:driver"),
    ]
    monkeypatch.chdir(tmp_path)  # where the program is was settled when the engine was named
    names = []
    for engine in engines:
        with engine:
            names.append(engine.hello().engine)
    assert names == ["--flag two words", ""]
    monkeypatch.setenv("PATH", str(driver.parent))
    with registry.connect("stdio:driver $HOME") as engine:
        assert engine.hello().engine == "$HOME", "no shell takes part"
    lines: list[tuple[str, str]] = []
    engine = registry.connect(f"stdio:'{driver}'", log=lambda way, text: lines.append((way, text)))
    assert isinstance(engine, ProtocolEngine)
    with engine:
        engine.hello()
    assert [way for way, _ in lines] == ["→", "←"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("stdio:./nowhere", "'./nowhere' was not found (looked in"),
        ("stdio:no-such-program-at-all", "was not found (looked in PATH or"),
        ("stdio:/no/such/program", "'/no/such/program' was not found"),
        ("stdio:./plain.txt", "may not be executed"),
    ],
)
def test_a_program_that_is_not_there_is_named(
    program: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.txt").write_text("not a program")
    with pytest.raises(EngineUnavailable) as caught:
        registry.connect(program)
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("name", ["Morph-Streams", "SPARQLstream", "RSPQLStarEngine"])
def test_an_engine_that_no_driver_starts_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(registry.EngineSpecError, match=r"has no driver here: \w+") as caught:
        registry.find(name)
    assert "stdio:COMMAND LINE" in str(caught.value)
    assert "\n" not in str(caught.value)
