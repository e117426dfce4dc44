"""The table of docs/plugin.md, out of the plugin's own table of options.

``python -m tests.docs.plugin_options`` prints it.
"""

from __future__ import annotations

from rsp_conformance.plugin.options import OPTIONS, flag
from rsp_conformance.plugin.settings import KINDS

HEAD = "| option | setting | holds | default | what it does |"


def option_table() -> list[str]:
    """The lines of the table, one an option."""
    lines = [HEAD, "|---|---|---|---|---|"]
    for name, option in OPTIONS.items():
        written = f"{flag(name)} {option.metavar}".replace("|", "\\|").strip()
        _, _, words = KINDS[option.kind]
        default = "" if option.default is None else f"`{option.default}`"
        what = option.help.replace("|", "\\|")
        lines.append(f"| `{written}` | `{name}` | {words} | {default} | {what} |")
    return lines


if __name__ == "__main__":
    print("\n".join(option_table()))
