"""Windows, where elements lie relative to them, and report strategies, in clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rsp_conformance.explain.argument import Evaluated, Placement, Reason, Undefined, WindowsAt
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.explain.render.notation import Notation, sentence
from rsp_conformance.explain.setting import Setting
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.windows import Instance


class Windows:
    """Writes what windows are under a z."""

    def __init__(self, setting: Setting, notation: Notation) -> None:
        self.setting = setting
        self.notation = notation

    def name(self, position: int) -> str:
        """The window's name."""
        return self.notation.iri(self.setting.windows[position].name)

    def span(self, instance: Instance | None) -> str:
        """An instance as the papers write it, ``(5,10]``."""
        assert instance is not None
        return instance.text(self.setting.dials.bounds)

    def undefined(self, found: Undefined) -> str:
        """Why a window is undefined, as a clause."""
        name, t = self.name(found.position), found.t
        match found.cause:
            case "never starts":
                return f"{name} never starts, since no element comes on its stream"
            case "not closed":
                (first,) = found.instants
                return f"no window of {name} has closed before {t}, the first closes at {first}"
            case "not open":
                (first,) = found.instants
                return f"no window of {name} is open at {t}, the first opens at {first}"
            case "gap":
                closes, opens = found.instants
                return f"{t} lies in the gap of {name} between {closes} and {opens}"

    def at(self, found: WindowsAt) -> list[str]:
        """What every window is at an evaluation; of one or two windows also what they hold."""
        if len(found.windows) <= 2:
            return [sentence(clause) for clause in self._each(found)]
        spans = [
            f"{self.name(position)} {self.span(own.instance)}"
            for position, own in enumerate(found.windows)
            if isinstance(own, Content)
        ]
        absent = len(found.windows) - len(spans)
        if not spans:
            return [f"At {found.t} all {absent} windows are undefined and hold nothing."]
        rest = f" ({absent} undefined)" if absent else ""
        return [f"The windows evaluated at {found.t} are {listed(spans, limit=6)}{rest}."]

    def _each(self, found: WindowsAt) -> Iterable[str]:
        point = str(found.t)
        if found.test_point is not None:
            point += " (test point {} of {})".format(*found.test_point)
        for position, own in enumerate(found.windows):
            if isinstance(own, Undefined):
                yield f"{self.undefined(own)}, so it holds nothing"
                continue
            window = self.setting.windows[position]
            yield (
                f"the window of {self.name(position)} (width {window.width}, slide "
                f"{window.slide}) evaluated at {point} is {self.span(own.instance)} and "
                f"holds {self.notation.elements(own.elements) if own.elements else 'nothing'}"
            )

    def placements(self, found: Sequence[Placement], limit: int = 3) -> str:
        """Where elements lie; those that lie alike are told together: ``5 and 7 lie inside …``."""
        groups: dict[tuple[object, ...], list[Placement]] = {}
        for own in found:
            alike: tuple[object, ...] = (self.placement([own]),)
            if own.kind in {"inside", "before", "after"}:
                alike = (own.kind, own.instance)
            groups.setdefault(alike, []).append(own)
        return listed([self.placement(own) for own in groups.values()], limit=limit)

    def placement(self, found: Sequence[Placement]) -> str:
        """Where elements lie relative to one window, of which all lie alike."""
        first = found[0]
        elements = self.setting.case.elements
        instants = list(dict.fromkeys(elements[own.element].t for own in found))
        at, several = listed([str(t) for t in instants], limit=8), len(instants) > 1
        instance, t, name = first.instance, instants[0], self.name(first.position)
        bounds = self.setting.dials.bounds
        match first.kind:
            case "other stream":
                streams = (
                    elements[first.element].stream,
                    self.setting.windows[first.position].stream,
                )
                own, read = map(self.notation.iri, streams)
                return f"it comes on {own}, while {name} reads {read}"
            case "undefined":
                assert first.undefined is not None
                return self.undefined(first.undefined)
            case "to come":
                return f"at {first.t} it has not come yet"
            case "before":
                return f"{at} {'are' if several else 'is'} before {self.span(instance)} opens"
            case "after":
                return f"{at} {'are' if several else 'is'} after {self.span(instance)} closes"
            case "not pushed":
                return f"at that test point the element of {t} has not been pushed yet"
            case "inside":
                return f"{at} {'lie' if several else 'lies'} inside {self.span(instance)}"
            case "end left out" | "end counted in" as kind:
                assert instance is not None
                end = "opening" if t == instance.opens else "closing"
                leave = "leave out" if kind == "end left out" else "count in"
                return (
                    f"{t} is the {end} end of {self.span(instance)}, which bounds {bounds} {leave}"
                )

    def evaluated(self, found: Evaluated) -> str:
        """Why the query is evaluated or not, as a sentence."""
        said = f"The query is {'' if found.holds else 'not '}evaluated at {found.t}"
        if not found.reasons:
            early = not found.holds and self.setting.windows
            return f"{said}{': no window is open yet' if early else ''}."
        policy = str(self.setting.reporter.policy)
        # Where strategies are joined by "and" alone, they say what the policy does.
        by = f" by report {policy}" if any(sign in policy for sign in "!|") else ""
        clauses = [
            f"{reason.strategy} {'holds' if reason.holds else 'does not hold'} "
            f"({self.reason(reason)})"
            for reason in found.reasons[:3]
        ]
        return f"{said}{by}: {listed(clauses)}."

    def reason(self, found: Reason) -> str:
        """Why a strategy holds or does not, as a clause."""
        strategy, t, holds = found.strategy, found.t, found.holds
        word = "" if holds else "not "
        if found.position is None:
            return f"{t} is {word}{found.start} plus a multiple of {strategy.period}"
        if strategy.kind == "P":
            start = "t0, which is never defined" if found.start is None else f"t0={found.start}"
            return f"{t} is {word}a multiple of {strategy.period} after {start}"
        if found.undefined is not None:
            return self.undefined(found.undefined)
        assert found.now is not None
        if strategy.kind == "WC":
            return self._window_close(found)
        name, span = self.name(found.position), self.span(found.now.instance)
        if strategy.kind == "NC":
            held = f"holds {counted(len(found.now.elements), 'element')}" if holds else "is empty"
            return f"the window {span} of {name} {held}"
        return self._content_change(found, name, span)

    def _window_close(self, found: Reason) -> str:
        assert found.position is not None and found.now is not None and found.now.instance
        t, name = found.t, self.name(found.position)
        span, closes = self.span(found.now.instance), found.now.instance.closes
        if self.setting.dials.window == "last-closed":
            if found.holds:
                return f"{span} of {name} is the last window closed before {t}, and new there"
            return f"{span} of {name}, the last window closed before {t}, was so at {t - 1} already"
        if found.holds:
            return f"the window {span} of {name} closes at {t}"
        window = self.setting.windows[found.position]
        earlier = closes - window.slide
        first = found.start is not None and earlier < found.start + window.width
        where = f"they close at {earlier} and {closes}"
        return f"no window of {name} closes at {t}, " + (
            f"the first closes at {closes}" if first else where
        )

    def _content_change(self, found: Reason, name: str, span: str) -> str:
        assert found.now is not None and found.before is not None
        now, before = set(found.now.elements), set(found.before.elements)
        came, gone = sorted(now - before), sorted(before - now)
        if found.holds and came:
            verb = "is" if len(came) == 1 else "are"
            return f"{self.notation.elements(came)} {verb} new in {span} of {name}"
        if found.holds:
            return f"{self.notation.elements(gone)} left {name}, whose window is {span}"
        if gone:
            return f"nothing is new in {span} of {name} (what leaves does not count)"
        return f"{span} of {name} holds what {name} held before"
