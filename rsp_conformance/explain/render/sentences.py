"""What is said of each kind of fact: a template, whose words ``argument`` finds."""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.explain.argument import FactKind

_COMES_OUT = "The answer given is what comes out"

SENTENCES: Mapping[FactKind, str] = {
    # What parts
    "silent": "{came} from t_s={t_s} to {until}, and {count:answer} {be} due{under}: {which} {due} "
    "{due_at}.",
    "no answer": "{Due_at}, {due} {due_is} due{under}, and no answer comes.",
    "not due": "{Answered} the engine answers {given}, and nothing is due there{under}.",
    "nothing more due": "The engine answers {given} with no instant, and nothing more is due.",
    "other order": "{Answered} the engine answers the rows that are due{under}, in an order that "
    "ORDER BY does not allow.",
    "other answer": "{Answered} the engine {answers} {given}, and {due} {due_is} due{where_due}"
    "{under}.",
    "other instant": "{Due_at}, {due} {due_is} due{under}. The engine gives {given}, but "
    "{answered}.",
    "same at another instant": "{Due_at}, {due} {due_is} due{under}. The engine gives the same, "
    "but {answered}.",
    # Windows and the report policy
    "windows at": "{windows}",
    "window at": "the window of {window} (width {width}, slide {slide}) evaluated at {t}"
    "{test_point} is {span} and holds {held}",
    "never starts": "{window} never starts, since no element comes on its stream",
    "not closed": "no window of {window} has closed before {t}, the first closes at {at}",
    "not open": "no window of {window} is open at {t}, the first opens at {at}",
    "gap": "{t} lies in the gap of {window} between {at}",
    "evaluated": "The query is evaluated at {t}{reasons}.",
    "not evaluated": "The query is not evaluated at {t}{reasons}.",
    "every": "{t} is {other} plus a multiple of {period}",
    "not every": "{t} is not {other} plus a multiple of {period}",
    "period": "{t} is a multiple of {period} after t0={other}",
    "not period": "{t} is not a multiple of {period} after t0={other}",
    "no period": "{t} is not a multiple of {period} after t0, which is never defined",
    "closes": "the window {span} of {window} closes at {t}",
    "first closes": "no window of {window} closes at {t}, the first closes at {at}",
    "they close": "no window of {window} closes at {t}, they close at {at}",
    "closed": "{span} of {window} is the last window closed before {t}, and new there",
    "closed before": "{span} of {window}, the last window closed before {t}, was so at "
    "{just_before} already",
    "not empty": "the window {span} of {window} holds {size:element}",
    "empty": "the window {span} of {window} is empty",
    "new in": "{elements} {elements_are} new in {span} of {window}",
    "left it": "{elements} left {window}, whose window is {span}",
    "nothing new": "nothing is new in {span} of {window} (what leaves does not count)",
    "unchanged": "{span} of {window} holds what {window} held before",
    # Where elements lie
    "other stream": "it comes on {stream}, while {window} reads {read}",
    "to come": "at {t} it has not come yet",
    "before": "{when} {when_is} before {span} opens",
    "after": "{when} {when_is} after {span} closes",
    "inside": "{when} {when_lies} inside {span}",
    "not pushed": "at that test point the element of {when} has not been pushed yet",
    "end left out": "{when} is the {end} end of {span}, which bounds {bounds} leave out",
    "end counted in": "{when} is the {end} end of {span}, which bounds {bounds} count in",
    # Rows and values
    "missing": "{rows} {are} missing.",
    "blank nodes": "Row by row the answers agree, but no renaming of blank nodes, one to one, "
    "makes all rows agree at once.",
    "more rows differ": "{count:more row} {differ}.",
    "more triples differ": "{count:more triple} {differ}.",
    "other values": "{in_the_row}{other_values}.",
    "equal numbers": "{equal_values}: equal as numbers, but numbers term compares terms.",
    "right over": "{rows} is right over {elements}.",
    "nothing counted": "An aggregate without GROUP BY has a row over an empty window too: {names} "
    "of nothing is 0.",
    "out of order": "{first} stands before {second} (rows {count} and {following}), and ORDER BY "
    "puts it after.",
    "other row": "The {ordinal} row is {second} where {first} is due.",
    "given often": "{rows} {are} given {often} and due {due_often}.",
    "duplicate in a set": "{elements} {give} it, and a window's content is a set of triples here.",
    "duplicates in a bag": "{elements}{each} {give} it, and an answer is a bag of rows here.",
    # Sources
    "comes from": "{subject} comes from {sources}{and_places}.",
    "needs nothing": "{subject} needs no element and no background data.",
    "comes only from": "{rows} {come} from {elements} only, {used_and} {places}.",
    "would come from": "{rows} would come from {elements}{with_used}, and {places}.",
    "would come if": "{rows} would come out if {wishes}; but {places}.",
    "held too": "the window of {window} held {elements} too",
    "not held": "the window of {window} did not hold {elements}",
    "other background": "{rows} would come out with the background data of {other}; but at {t} "
    "{background}.",
    "unknown terms": "{terms} {occur} nowhere in the streams and the background data.",
    "no choice": "No choice of elements was found that gives {a_row} at {t}.",
    "no small change": "No small change of what the windows hold was found that gives {a_row}.",
    # Answers due and given
    "none due in all": "None are due in all.",
    "due in all": "{count:answer} {be} due in all.",
    "nothing due": "No answer is due at all.",
    "due next to it": "Next to it answers are due at {at}.",
    "same due elsewhere": "The same answer is due at {at}.",
    "no stamp due": "No evaluation carries that stamp, for none is due.",
    "stamps due": "No evaluation carries that stamp; those due carry {at}.",
    "given in all": "The engine gives {count:answer} in all.",
    "given next to it": "The engine's answers next to it are at {at}.",
    "given next": "The engine's next answer is at {at}.",
    "given last": "The engine's last answer is at {at}.",
    "no whole instant": "{at} is no whole instant, and time is counted in those.",
    "carries the stamp": "The {evaluations} at {at} alone can carry the stamp {t}.",
    "as many have come": "{count:answer} {be} due at {at}, and as many have come before this one.",
    "instant is": "{at} is {hints}.",
    "first with rows": "The first with rows is {due} {due_at}.",
    "dropped as empty": "But its answer has no rows, and under empty_answers no it is not given.",
    "empty is given": "Its answer has no rows, and empty answers are given here.",
    "no solution": "There is no solution, so ASK is false.",
    # ISTREAM
    "left": "It held at {last} and is gone.",
    "not new": "{rows} {hold} at {t}{times}, but {last} has it{times_before} already, and ISTREAM "
    "gives what is new only.",
    "given more often": "{rows} {hold} at {t}{times}, and is given more often.",
    "no solution is new": "Of what holds at {t} nothing is new: {last} has it already.",
    "new": "It is new: {last} does not have it.",
    "new, nothing precedes": "No evaluation precedes the one at {t}, so it is new.",
    "more than before": "It holds at {t}{times}, and {last} has it{times_before} only.",
    "solution is new": "There is a solution at {t}{unknown}, and ISTREAM gives what is new.",
    # DSTREAM
    "nothing precedes": "No evaluation precedes the one at {t}, so DSTREAM has nothing to give.",
    "was not there": "DSTREAM gives what is gone, but {last} does not have {rows}.",
    "not gone": "{rows} is not gone: it holds at {t} still.",
    "gone once": "{rows} is gone at {t}{times_before}, and is given more often.",
    "no solution is gone": "No solution of {last} is gone at {t}.",
    "was there": "{Last} has it{times_before}.",
    "gone": "At {t} it is gone{since_places}.",
    "fewer than before": "At {t} it holds{times} only.",
    "solution is gone": "A solution of {last} is gone at {t}, and DSTREAM gives what is gone.",
    # Other members of Z
    "expects": "{who} {expect} {shortly_due} at {t}",
    "expects it missing": "{who} {expect} {shortly_due} at {t}, where no answer comes",
    "expects other order": "{who} {expect} another order at {t}",
    "expects nothing": "{who} {expect} nothing at all",
    "expects elsewhere": "{who} {evaluate} at {at}, not at {t}",
    # Other readings
    "no operator": "The answer given is all that holds at {t}, as if {operator} were not there.",
    "optional as join": f"{_COMES_OUT} if OPTIONAL is taken for a join.",
    "no filter": f"{_COMES_OUT} without FILTER.",
    "no distinct": f"{_COMES_OUT} without DISTINCT.",
    "distinct": f"{_COMES_OUT} if duplicates are dropped.",
    "no limit": f"{_COMES_OUT} without LIMIT and OFFSET.",
    "no background": f"{_COMES_OUT} without the background data.",
    "background of": f"{_COMES_OUT} with the background data of {{t}}.",
    "kept": f"{_COMES_OUT} if what was evaluated at {{t}} is kept.",
    "window of": f"{_COMES_OUT} over the window {{of_window}}evaluated at {{t}}.",
    "window of another test point": f"{_COMES_OUT} over the window {{of_window}}evaluated at "
    "another test point of {t}.",
    "window is empty": f"{_COMES_OUT} if {{window}} holds nothing.",
}

HINTS: Mapping[str, str] = {
    "slide later": "one slide of {window} later",
    "slide earlier": "one slide of {window} earlier",
    "opens": "where the window of {window} opens",
    "closes": "where the window of {window} closes",
    "next element": "when the next element comes",
    "last element": "when the last element came",
    "from registration": "the instant counted from the registration",
}
