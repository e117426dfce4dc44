"""Windows, where elements lie relative to them, and report strategies, in clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rsp_conformance.explain.argument import Evaluated, Placement, Reason, Undefined, WindowsAt
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.explain.render.notation import SettingNotation, sentence
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.windows import Instance

_UNDEFINED: Mapping[str, str] = {
    "never starts": "{name} never starts, since no element comes on its stream",
    "not closed": "no window of {name} has closed before {t}, the first closes at {0}",
    "not open": "no window of {name} is open at {t}, the first opens at {0}",
    "gap": "{t} lies in the gap of {name} between {0} and {1}",
}
_LIES: Mapping[str, str] = {
    "other stream": "it comes on {own}, while {name} reads {read}",
    "to come": "at {now} it has not come yet",
    "before": "{at} {be} before {span} opens",
    "after": "{at} {be} after {span} closes",
    "inside": "{at} {lie} inside {span}",
    "not pushed": "at that test point the element of {t} has not been pushed yet",
    "end left out": "{t} is the {end} end of {span}, which bounds {bounds} leave out",
    "end counted in": "{t} is the {end} end of {span}, which bounds {bounds} count in",
}


def undefined(found: Undefined, notation: SettingNotation) -> str:
    """Why a window is undefined, as a clause."""
    name = notation.window(found.position)
    return _UNDEFINED[found.cause].format(*found.instants, name=name, t=found.t)


def windows_at(found: WindowsAt, notation: SettingNotation) -> list[str]:
    """What every window is at an evaluation; of one or two windows also what they hold."""
    if len(found.windows) <= 2:
        return [sentence(clause) for clause in _each(found, notation)]
    spans = [
        f"{notation.window(position)} {notation.span(own.instance)}"
        for position, own in enumerate(found.windows)
        if isinstance(own, Content) and own.instance
    ]
    absent = len(found.windows) - len(spans)
    if not spans:
        return [f"At {found.t} all {absent} windows are undefined and hold nothing."]
    rest = f" ({absent} undefined)" if absent else ""
    return [f"The windows evaluated at {found.t} are {listed(spans, limit=6)}{rest}."]


def _each(found: WindowsAt, notation: SettingNotation) -> Iterable[str]:
    point = str(found.t)
    if found.test_point is not None:
        point += " (test point {} of {})".format(*found.test_point)
    for position, own in enumerate(found.windows):
        if isinstance(own, Undefined):
            yield f"{undefined(own, notation)}, so it holds nothing"
            continue
        assert own.instance is not None
        window = notation.setting.windows[position]
        yield (
            f"the window of {notation.window(position)} (width {window.width}, slide "
            f"{window.slide}) evaluated at {point} is {notation.span(own.instance)} and "
            f"holds {notation.elements(own.elements) if own.elements else 'nothing'}"
        )


def placements(found: Sequence[Placement], notation: SettingNotation) -> str:
    """Where elements lie; those that lie alike are told together: ``5 and 7 lie inside …``."""
    groups: dict[tuple[object, ...], list[Placement]] = {}
    for own in found:
        alike: tuple[object, ...] = (_placement([own], notation),)
        if own.kind in {"inside", "before", "after"}:
            alike = (own.kind, own.instance)
        groups.setdefault(alike, []).append(own)
    return listed([_placement(own, notation) for own in groups.values()], limit=3)


def _placement(found: Sequence[Placement], notation: SettingNotation) -> str:
    """Where elements lie relative to one window, of which all lie alike."""
    first, setting = found[0], notation.setting
    if first.undefined is not None and first.kind == "undefined":
        return undefined(first.undefined, notation)
    elements, window = setting.case.elements, setting.windows[first.position]
    instants = list(dict.fromkeys(elements[own.element].t for own in found))
    instance, several = first.instance, len(instants) > 1
    return _LIES[first.kind].format(
        own=notation.iri(elements[first.element].stream),
        read=notation.iri(window.stream),
        name=notation.window(first.position),
        now=first.t,
        t=instants[0],
        at=listed([str(t) for t in instants], limit=8),
        be="are" if several else "is",
        lie="lie" if several else "lies",
        span="" if instance is None else notation.span(instance),
        end="opening" if instance is not None and instants[0] == instance.opens else "closing",
        bounds=setting.dials.bounds,
    )


def evaluated(found: Evaluated, notation: SettingNotation) -> str:
    """Why the query is evaluated or not, as a sentence."""
    said = f"The query is {'' if found.holds else 'not '}evaluated at {found.t}"
    if not found.reasons:
        early = not found.holds and notation.setting.windows
        return f"{said}{': no window is open yet' if early else ''}."
    policy = str(notation.setting.reporter.policy)
    # Where strategies are joined by "and" alone, they say what the policy does.
    by = f" by report {policy}" if any(sign in policy for sign in "!|") else ""
    clauses = [
        f"{reason.strategy} {'holds' if reason.holds else 'does not hold'} "
        f"({_reason(reason, notation)})"
        for reason in found.reasons[:3]
    ]
    return f"{said}{by}: {listed(clauses)}."


def _reason(found: Reason, notation: SettingNotation) -> str:
    """Why a strategy holds or does not, as a clause."""
    strategy, t, word = found.strategy, found.t, "" if found.holds else "not "
    if found.position is None:
        return f"{t} is {word}{found.start} plus a multiple of {strategy.period}"
    if strategy.kind == "P":
        start = "t0, which is never defined" if found.start is None else f"t0={found.start}"
        return f"{t} is {word}a multiple of {strategy.period} after {start}"
    if found.undefined is not None:
        return undefined(found.undefined, notation)
    assert found.now is not None and found.now.instance is not None
    name, instance = notation.window(found.position), found.now.instance
    if strategy.kind == "WC":
        return _window_close(found, name, instance, notation)
    span = notation.span(instance)
    if strategy.kind == "NC":
        number = counted(len(found.now.elements), "element")
        return f"the window {span} of {name} {f'holds {number}' if found.holds else 'is empty'}"
    assert found.before is not None
    now, before = set(found.now.elements), set(found.before.elements)
    came, gone = sorted(now - before), sorted(before - now)
    if found.holds and came:
        verb = "is" if len(came) == 1 else "are"
        return f"{notation.elements(came)} {verb} new in {span} of {name}"
    if found.holds:
        return f"{notation.elements(gone)} left {name}, whose window is {span}"
    if gone:
        return f"nothing is new in {span} of {name} (what leaves does not count)"
    return f"{span} of {name} holds what {name} held before"


def _window_close(found: Reason, name: str, instance: Instance, notation: SettingNotation) -> str:
    t, span, closes = found.t, notation.span(instance), instance.closes
    if notation.setting.dials.window == "last-closed":
        if found.holds:
            return f"{span} of {name} is the last window closed before {t}, and new there"
        return f"{span} of {name}, the last window closed before {t}, was so at {t - 1} already"
    if found.holds:
        return f"the window {span} of {name} closes at {t}"
    window = notation.setting.windows[found.position or 0]
    earlier = closes - window.slide
    if found.start is not None and earlier < found.start + window.width:
        return f"no window of {name} closes at {t}, the first closes at {closes}"
    return f"no window of {name} closes at {t}, they close at {earlier} and {closes}"
