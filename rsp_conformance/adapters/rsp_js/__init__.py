"""rsp-js, an RSP-QL engine in JavaScript from npm: its driver and what the driver needs.

`driver.js` speaks the engine protocol for the package that `package.json` pins. `README.md`
says how the engine is driven, what its parser takes and what was seen of its semantics.
"""
