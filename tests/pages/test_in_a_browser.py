"""The page of a run in a browser: it opens from a file, and can be read and used by anybody."""

from __future__ import annotations

import base64
import json

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rsp_conformance.pages.html import write_pages
from tests.pages.test_pages import hostile

PHONE, DESK = (420, 900), (1300, 900)


@pytest.fixture(scope="module")
def browser(chrome: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> webdriver.Chrome:
    folder = tmp_path_factory.mktemp("page")
    page = write_pages(hostile(folder), folder / "report", folder)
    chrome.get(page.as_uri())
    return chrome


@pytest.fixture(autouse=True)
def _fresh(browser: webdriver.Chrome) -> None:
    browser.set_window_size(*DESK)
    browser.refresh()


def rows(browser: webdriver.Chrome) -> list[str]:
    """The properties that are to be seen."""
    found = browser.find_elements(By.CSS_SELECTOR, "tr.row")
    return [own.find_element(By.TAG_NAME, "td").text for own in found if own.is_displayed()]


def choose(browser: webdriver.Chrome, said: str) -> WebElement:
    (label,) = browser.find_elements(By.XPATH, f"//label[contains(., '{said}')]")
    label.click()
    return label


def errors(browser: webdriver.Chrome) -> list[object]:
    """What the browser has said against its pages since it was asked last."""
    # `get_log` is not in the types of Selenium.
    return [own for own in browser.get_log("browser") if own["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


def test_the_browser_has_nothing_to_say_against_it(browser: webdriver.Chrome) -> None:
    assert browser.title.startswith("RSP-QL conformance report: <script>")
    assert errors(browser) == []


def test_filters_leave_what_is_asked_for(browser: webdriver.Chrome) -> None:
    assert rows(browser) == ["gaps", "windows"]
    choose(browser, "failed (1)")
    assert rows(browser) == ["gaps"]
    choose(browser, "passed (1)")
    assert rows(browser) == ["windows"]
    choose(browser, "unexplained")
    assert rows(browser) == []
    browser.find_element(By.ID, "verdict-all").click()
    assert rows(browser) == ["gaps"]


def test_filters_and_cases_work_by_keyboard(browser: webdriver.Chrome) -> None:
    browser.find_element(By.ID, "verdict-all").send_keys(Keys.ARROW_RIGHT)
    assert rows(browser) == ["gaps"]
    summary = browser.find_element(By.CSS_SELECTOR, "article details[open] > summary")
    case = summary.find_element(By.XPATH, "following-sibling::section[1]")
    assert case.is_displayed()
    summary.send_keys(Keys.ENTER)
    assert not case.is_displayed()


def beside(browser: webdriver.Chrome, place: str = "html") -> int:
    """How many pixels of an element are beside what is to be seen of it."""
    wide = "const e = document.querySelector(arguments[0]); return e.scrollWidth - e.clientWidth"
    found: int = browser.execute_script(wide, place)  # type: ignore[no-untyped-call]
    return found


@pytest.mark.parametrize(("size", "is_table"), [(DESK, True), (PHONE, False)])
def test_nothing_is_beside_the_screen(
    browser: webdriver.Chrome, size: tuple[int, int], is_table: bool
) -> None:
    browser.set_window_size(*size)
    assert beside(browser) == 0
    cell = browser.find_element(By.CSS_SELECTOR, "tr.row td")
    assert (cell.value_of_css_property("display") == "table-cell") is is_table
    # On a phone each cell says what it is.
    before = "return getComputedStyle(arguments[0], '::before').content"
    said = browser.execute_script(before, cell)  # type: ignore[no-untyped-call]
    assert ("property" in said) is not is_table


def test_the_legend_of_a_timeline_wraps_on_a_phone(browser: webdriver.Chrome) -> None:
    legend = browser.find_element(By.CSS_SELECTOR, "article details[open] figcaption")
    assert legend.text.startswith(
        "● element, □ evaluation, ◇ expected, ◆ received, dashed: the first that is missing;"
    )
    on_a_desk = legend.size["height"]
    browser.set_window_size(*PHONE)
    assert legend.is_displayed() and legend.size["height"] > on_a_desk
    edges = "const b = arguments[0].getBoundingClientRect(); return [b.left, b.right]"
    left, right = browser.execute_script(edges, legend)  # type: ignore[no-untyped-call]
    assert 0 <= left < right <= PHONE[0]
    # The words are not in the picture as well, which is scrolled.
    picture = browser.find_element(By.CSS_SELECTOR, "article details[open] figure svg")
    assert "received" in picture.text and "dashed" not in picture.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_in_both_schemes(browser: webdriver.Chrome, scheme: str) -> None:
    assert pale(browser, scheme, "body", "a", ".soft", ".bad", "dt", "th") == []


def pale(browser: webdriver.Chrome, scheme: str, *places: str) -> list[str]:
    """The places whose letters stand out less than 4.5 to 1 (WCAG 2.1, 1.4.3) in a scheme."""
    feature = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": feature})  # type: ignore[no-untyped-call]
    ground = light(browser.find_element(By.TAG_NAME, "body"), "background-color")
    assert (ground < 0.2) is (scheme == "dark")
    found = []
    for place in places:
        letters = light(browser.find_element(By.CSS_SELECTOR, place), "color")
        brighter, darker = sorted((ground, letters), reverse=True)
        if (brighter + 0.05) / (darker + 0.05) < 4.5:
            found.append(place)
    return found


def light(one: WebElement, name: str) -> float:
    """The relative luminance of a colour (WCAG 2.1)."""
    said = one.value_of_css_property(name).partition("(")[2].rstrip(")").split(",")[:3]
    parts = [int(own) / 255 for own in said]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_what_is_to_be_saved_is_what_it_says(browser: webdriver.Chrome) -> None:
    found = browser.find_elements(By.CSS_SELECTOR, "a[download]")
    saved = {}
    for own in found:
        address = own.get_attribute("href") or ""
        saved[own.get_attribute("download")] = json.loads(base64.b64decode(address.split(",")[1]))
    assert saved["run.json"]["rsp_report"] == 1
    assert saved["rsp-js-newest-only.json"]["engine"] == "rsp-js"
    assert "e-windows-rejected-0a1b2c.json" in saved


def test_a_reader_who_cannot_see_it_is_told_what_things_are(browser: webdriver.Chrome) -> None:
    tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]  # type: ignore[no-untyped-call]
    named = [(own["role"]["value"], own.get("name", {}).get("value", "")) for own in tree]
    assert {("region", "Causes"), ("region", "Properties"), ("group", "Show properties")} <= {
        *named
    }
    assert ("columnheader", "what is wrong") in named
    (picture,) = [name for role, name in named if role in ("image", "img")]
    assert picture.startswith("Timeline of the case ") and "an answer is missing at 4" in picture
    for role in ("link", "radio", "button"):
        assert all(name for own, name in named if own == role), role
