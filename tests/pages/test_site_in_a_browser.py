"""The site of several engines in a browser: links, filters and keys lead where they say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rsp_conformance.pages.site import CONCLUSIONS, write_site
from rsp_conformance.run.run_report import INDEX
from tests.pages.test_in_a_browser import DESK, PHONE, beside, choose, errors, pale, rows
from tests.pages.test_pages import hostile
from tests.pages.test_site import right

OWN = '{"base": "rsp-ql", "bounds": "(o,c)", "t0": "first-element-close"}'
VERSIONS = ("2.0.0-alpha.18", "1.1.0", "0.1.1+846becb")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a site of nine engines, the first of which was not asked multi_window."""
    folder = tmp_path_factory.mktemp("site")
    bad = replace(hostile(folder), engine="csparql2", version="2.0.0", profile=OWN)
    good = [
        replace(right(), engine=f"engine{n}", version=VERSIONS[n % len(VERSIONS)], profile=OWN)
        for n in range(8)
    ]
    asked = replace(good[0].properties[0], property="multi_window")
    good[0] = replace(good[0], properties=(*good[0].properties, asked))
    runs = [(run, folder) for run in (bad, *good)]
    return write_site(runs, folder / "out").parent.as_uri()


@pytest.fixture
def browser(chrome: webdriver.Chrome, site: str) -> webdriver.Chrome:
    chrome.set_window_size(*DESK)
    chrome.get(f"{site}/{INDEX}")
    chrome.refresh()
    return chrome


def cell(browser: webdriver.Chrome, property: str, number: int) -> WebElement:
    """The link in the cell of a property and of the engine with this number, from 1 on."""
    row = browser.find_element(By.ID, f"property-{property}")
    return row.find_elements(By.TAG_NAME, "td")[number].find_element(By.TAG_NAME, "a")


def test_links_lead_from_the_matrix_to_what_a_mark_means(browser: webdriver.Chrome) -> None:
    cell(browser, "gaps", 1).click()
    assert browser.current_url.endswith("csparql2-2.0.0.html#property-gaps")
    assert browser.find_element(By.ID, "property-gaps").is_displayed()
    browser.find_element(By.LINK_TEXT, "All engines").click()
    cell(browser, "multi_window", 1).click()
    assert browser.current_url.endswith("csparql2-2.0.0.html#not-asked")
    assert browser.find_element(By.ID, "not-asked").text == "Not asked in this run"
    browser.back()
    browser.find_element(By.PARTIAL_LINK_TEXT, "What goes wrong").click()
    assert browser.title == "What goes wrong in RSP engines"
    browser.find_element(By.LINK_TEXT, "csparql2 2.0.0").click()
    assert browser.current_url.endswith("#cause-1")
    assert browser.find_element(By.ID, "cause-1").is_displayed()
    assert errors(browser) == []


def test_filters_leave_the_rows_that_are_asked_for(browser: webdriver.Chrome) -> None:
    names = ["windows", "gaps", "multi_window", "ask"]
    assert [own.partition("\n")[0] for own in rows(browser)] == names
    for choice, left in (
        ("by time", ["windows", "ask"]),
        ("with gaps", ["gaps"]),
        ("several", ["multi_window"]),
    ):
        fieldset = browser.find_element(By.XPATH, "//fieldset[legend='Windows']")
        fieldset.find_element(By.XPATH, f".//label[normalize-space()='{choice}']").click()
        assert [own.partition("\n")[0] for own in rows(browser)] == left
    browser.find_element(By.ID, "windows-all").click()
    browser.find_element(By.ID, "feature-has-ask").click()
    assert [own.partition("\n")[0] for own in rows(browser)] == ["ask"]
    # Filters work together.
    choose(browser, "different verdicts")
    assert rows(browser) == []
    browser.find_element(By.ID, "feature-all").click()
    assert [own.partition("\n")[0] for own in rows(browser)] == ["gaps"]


def test_filters_and_links_work_by_keyboard(browser: webdriver.Chrome) -> None:
    browser.find_element(By.ID, "windows-all").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert [own.partition("\n")[0] for own in rows(browser)] == ["gaps"]
    link = cell(browser, "gaps", 1)
    link.send_keys(Keys.NULL)
    outline = "return getComputedStyle(arguments[0]).outlineStyle"
    assert browser.execute_script(outline, link) == "solid"  # type: ignore[no-untyped-call]
    link.send_keys(Keys.ENTER)
    assert browser.current_url.endswith("#property-gaps")


def test_nine_engines_fit_a_desk_and_a_phone(browser: webdriver.Chrome) -> None:
    heads = browser.find_elements(By.CSS_SELECTOR, "[aria-label='Engines and properties'] th")
    assert heads[2].text == "engine0\n2.0.0-alpha.18" and len(heads) == 10
    assert beside(browser) == 0
    assert beside(browser, "[aria-label='Engines and properties']") == 0
    # Dials would push the numbers off the screen; the engine's own page has them.
    assert browser.find_element(By.XPATH, '//td[.="engine3\'s own"]').is_displayed()
    browser.set_window_size(*PHONE)
    assert beside(browser) == 0
    number = browser.find_element(By.CSS_SELECTOR, "td.n")
    assert number.value_of_css_property("text-align") == "left"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_of_all_pages_stand_out_in_both_schemes(
    browser: webdriver.Chrome, site: str, scheme: str
) -> None:
    assert pale(browser, scheme, "body", "a", ".soft", ".bad", ".good", "th", "legend") == []
    browser.get(f"{site}/{CONCLUSIONS}")
    assert pale(browser, scheme, "body", "a", "th", ".soft", "td code") == []


def test_a_reader_who_cannot_see_a_mark_is_told_what_it_says(browser: webdriver.Chrome) -> None:
    tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]  # type: ignore[no-untyped-call]
    named = {(own["role"]["value"], own.get("name", {}).get("value", "")) for own in tree}
    assert {
        ("link", "failed: gaps, csparql2 2.0.0"),
        ("link", "not asked in this run: multi_window, csparql2 2.0.0"),
        ("group", "Windows"),
        ("group", "Needs"),
    } <= named
    assert all(name for role, name in named if role in ("link", "radio"))
