"""Faults that hardly show in any small case: relations between cases find them."""

from __future__ import annotations

from rsp_conformance.adapters.reference.defects import relations
from rsp_conformance.adapters.reference.fault import Fault
from rsp_conformance.model.features import check_features

TABLE = (
    Fault(
        "error-negated",
        "engines whose conditions are true or false",
        relations.ErrorNegated,
        check_features(("filter",)),
        where="a negation of what is an error",
        relation="relation[partition]",
    ),
    Fault(
        "load-shedding",
        "engines with buffers of a fixed size",
        relations.LoadShedding,
        where="more than twelve elements in a window",
        relation="relation[junk]",
    ),
    Fault(
        "names-cut",
        "engines whose dictionary has a column of a fixed width",
        relations.NamesCut,
        where="IRIs longer than 48 characters",
        relation="relation[renaming]",
    ),
    Fault(
        "short-clock",
        "engines that keep time in a number of few digits",
        relations.ShortClock,
        where="instants from 1000 on",
        relation="relation[shift]",
    ),
    Fault(
        "falling-run-cut",
        "engines that take disorder within an instant for lateness",
        relations.FallingRunCut,
        where="three elements at one instant, in a certain order",
        relation="relation[permuted]",
    ),
    Fault(
        "twin-branches",
        "planners that share equal subplans without looking at their windows",
        relations.TwinBranches,
        check_features(("multi-window", "union")),
        where="a UNION of one pattern in two windows",
        relation="relation[split]",
    ),
    Fault(
        "wide-tumbling",
        "engines with a way of their own for tumbling windows",
        relations.WideTumbling,
        where="a tumbling window of six instants or more",
        relation="relation[tumbling]",
    ),
    Fault(
        "istream-counts-to-two",
        "engines with a flag in place of a counter",
        relations.IstreamCountsToTwo,
        check_features(("istream",)),
        where="a row that is new three times at once",
        relation="relation[r2s]",
    ),
    Fault(
        "last-instant-waits",
        "engines that evaluate an instant when a later one begins",
        relations.LastInstantWaits,
        where="an end at the instant of the last element",
        relation="relation[prefix]",
    ),
    Fault(
        "widest-short",
        "engines with counters that are too small",
        relations.WidestShort,
        where="a window of more than ten instants",
        relation="relation[units]",
    ),
)
