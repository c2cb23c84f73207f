"""The pages' text: templates with their sections, numbers and outline put in.

{{article/name}}            the file web/article/name.html, whose placeholders are replaced as well
{{path.to.value}}           a text
{{path.to.value|.1%}}       a number, formatted as Python does and marked as data, so that tests can read it back
{{path.to.value|.1%|tex}}   the same inside a formula, unmarked
{{contents}}                the list of sections

Besides Python's, there are the formats `words` (a whole number up to twelve in words) and `power` (2.3 × 10⁻⁷).
A minus sign is a real one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from web.build.project import WEB, BuildError, relative

PLACEHOLDER = re.compile(r"\{\{\s*([\w./-]+)\s*(?:\|\s*([^|}]+?)\s*(\|\s*tex\s*)?)?\}\}")
SECTION = re.compile(r'<section id="([\w-]+)"[^>]*>\s*<h2>(.*?)</h2>', re.DOTALL)
FIGURE = re.compile(r'<figure class="figure[^"]*" id="([\w-]+)">.*?<figcaption>', re.DOTALL)
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def finished(page: Path, values: Mapping[str, Any]) -> str:
    """The page's whole text. An unknown placeholder, or a format that does not fit, stops the build."""
    return outlined(fill(page, values))


def fill(template: Path, values: Mapping[str, Any]) -> str:
    """The template with its placeholders replaced."""
    text = template.read_text(encoding="utf-8")

    def value(match: re.Match[str]) -> str:
        path, form, tex = match.groups()
        section = WEB / f"{path}.html"
        if path.startswith("article/") and section.is_file():
            return fill(section, values)
        if path == "contents":
            return match[0]  # known when all sections are in
        line = text.count("\n", 0, match.start()) + 1
        try:
            found = look_up(values, path)
            if form is None:
                return str(found)
            shown = formatted(found, form)
        except (LookupError, TypeError, ValueError) as error:
            raise BuildError(f"{relative(template)}, line {line}: {match[0]} cannot be filled in: {error}.") from None
        return shown if tex else f'<data value="{found!r}" data-from="{path}">{shown}</data>'

    return PLACEHOLDER.sub(value, text)


def look_up(values: Any, path: str) -> Any:
    """`values["a"]["b"][0]` for "a.b.0"; names may contain dots themselves."""
    found, rest = values, path
    while rest:
        if isinstance(found, list):
            name, _, rest = rest.partition(".")
            found = found[int(name)]
            continue
        names = sorted((name for name in found if rest == name or rest.startswith(f"{name}.")), key=len)
        if not names:
            raise LookupError(f"there is no {rest.partition('.')[0]!r} among {', '.join(found)}")
        found, rest = found[names[-1]], rest[len(names[-1]) + 1 :]
    return found


def formatted(number: float, form: str) -> str:
    """The number as text."""
    if isinstance(number, (str, bool)) or number is None:
        raise TypeError(f"{number!r} is not a number")
    if form == "words":
        return WORDS[int(number)] if number == int(number) and number < len(WORDS) else f"{number:,}"
    if form == "power":
        mantissa, _, exponent = f"{number:.1e}".partition("e")
        return f"{mantissa} × 10<sup>{int(exponent)}</sup>".replace("-", "−")
    return format(number, form).replace("-", "−")


def outlined(text: str) -> str:
    """With the list of contents, a link on every heading and figure, and links to the neighbours of each section."""
    sections = [(match[1], " ".join(match[2].split())) for match in SECTION.finditer(text)]
    entries = "".join(f'<li><a href="#{id}">{title}</a></li>' for id, title in sections)
    text = text.replace("{{contents}}", f"<ol>{entries}</ol>")
    for number, (id, _) in enumerate(sections):
        start = text.index(f'<section id="{id}"')
        end = text.index("</section>", start)
        heading = text.index("</h2>", start)
        anchor = f' <a class="anchor" href="#{id}" aria-label="Link to this section">#</a>'
        text = text[:heading] + anchor + text[heading:end] + _turns(sections, number) + text[end:]
    return _number_figures(text)


def _turns(sections: list[tuple[str, str]], number: int) -> str:
    """Links to the section before and the section after."""
    links = []
    for step, word, place in ((-1, "Previous", "before"), (1, "Next", "after")):
        if 0 <= number + step < len(sections):
            id, title = sections[number + step]
            links.append(f'<a class="{place}" href="#{id}"><span>{word}</span> {title}</a>')
    return f'<nav class="turns" aria-label="Neighbouring sections">{"".join(links)}</nav>\n'


def _number_figures(text: str) -> str:
    """Figure 1, 2, … before each caption, as a link to the figure."""
    count = 0

    def numbered(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f'{match[0]}<a class="number" href="#{html.escape(match[1])}">Figure {count}.</a> '

    return FIGURE.sub(numbered, text)
