"""A browser for the tests of pages.

Needs `chromedriver` and Chromium (Debian: ``chromium-driver``), else these tests are skipped.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver


@pytest.fixture(scope="session")
def chrome() -> Iterator[webdriver.Chrome]:
    program = shutil.which("chromedriver")
    if program is None:
        pytest.skip("no chromedriver here")
    options = webdriver.ChromeOptions()
    # The sandbox wants rights that a container's user has not.
    for own in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{own}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(program))
    yield driver
    driver.quit()
