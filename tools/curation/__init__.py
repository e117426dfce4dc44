"""Choosing the cases of the packaged suite: candidates, what each covers, as few as will do.

``make suite`` (``python -m tools.curation``) writes `rsp_conformance/examples/suite`.
"""
