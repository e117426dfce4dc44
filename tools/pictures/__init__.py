"""The pictures of the pages: ``python -m tools.pictures`` writes them into ``docs/assets``.

Windows, evaluations and answers come from the model, by the timeline that reports use. Boxes and
arrows are drawn by hand.
"""
