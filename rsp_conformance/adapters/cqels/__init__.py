"""CQELS 2, whose engine runs in the JVM. `README.md` says how to get it and what was seen of it.

Tried: 2.0.0-alpha.18 on Java 17.

**Queries** are CQELS-QL 2 as the kit prints it. FUTURE windows, the default, are RSP-QL's windows
(kβ, kβ+α]; they take SELECT of triple patterns over one stream, FILTER, BIND, and one aggregate.
RANGE windows, by the option `windows`, are evaluated at every arrival, and take background data
and DISTINCT.

**Quiet.** Everything happens in the thread that pushes: answers are out when `push` returns.

**Time** is what the elements bring, in milliseconds: their instants times the unit. A window is
answered by the first later arrival.
"""
