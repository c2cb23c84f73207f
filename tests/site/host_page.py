"""Pages of other people, on a server and a host name of their own, that embed figures of the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect
from trainer_page import BOOT_MS, Watch

from web.build.server import Site

HOSTS = Path(__file__).parent / "hosts"

# Before any script of a page: what it hears from the elements, and its own account of what has moved.
LISTEN = """
globalThis.heard = [];
for (const type of ["ready", "state", "epoch", "done", "error"]) {
  addEventListener(type, ({ target, detail }) => {
    if (target.localName === "micro-transformer") heard.push({ type, id: target.id, ...detail });
  }, { capture: true });
}
"""

# A browser that keeps nothing for pages of others: there, whatever would store something throws.
NO_STORAGE = """
if (window.parent !== window) {
  for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("Blocked.", "SecurityError"); } });
  }
  Object.defineProperty(Document.prototype, "cookie", {
    get() { throw new DOMException("Blocked.", "SecurityError"); },
    set() { throw new DOMException("Blocked.", "SecurityError"); },
  });
}
"""


def write_hosts(folder: Path, site: Site) -> None:
    """Copy the pages, with the address of the site put in."""
    for page in HOSTS.glob("*.html"):
        text = page.read_text(encoding="utf-8").replace("{{site}}", site.url)
        (folder / page.name).write_text(text, encoding="utf-8")


class HostPage:
    """An open page that embeds figures."""

    def __init__(self, page: Page, watch: Watch, url: str) -> None:
        self.page = page
        self.watch = watch
        self.url = url

    def go(self, name: str) -> None:
        self.page.goto(self.url + name)

    def element(self, n: int = 0) -> Locator:
        return self.page.locator("micro-transformer").nth(n)

    def frame(self, n: int = 0) -> FrameLocator:
        """What is in the n-th frame of an element."""
        return self.page.frame_locator(f"micro-transformer >> nth={n} >> iframe")

    def trainer(self, n: int = 0) -> Locator:
        return self.frame(n).locator("micro-trainer")

    def wait(self, n: int = 0, **state: object) -> None:
        """Until the n-th trainer's state is this; see `TrainerPage.wait`."""
        for name, value in state.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            expect(self.trainer(n)).to_have_attribute(f"data-{name}", text, timeout=BOOT_MS)

    def call(self, script: str, n: int = 0) -> Any:
        """`call("e.read()")`: evaluate with `e` as the n-th element."""
        return self.element(n).evaluate(f"(e) => {script}")

    def heard(self, type: str, n: int = 0) -> list[dict[str, Any]]:
        """The events of the n-th element so far."""
        found: list[dict[str, Any]] = self.element(n).evaluate(
            "(e, type) => heard.filter((event) => event.type === type && event.id === e.id)", type
        )
        return found

    def hears(self, type: str, n: int = 0, **values: Any) -> None:
        """Until an event with these values has come."""
        self.element(n).evaluate(
            """(e, [type, values]) => new Promise((resolve, reject) => {
              setTimeout(() => reject(new Error(`${type} was not told: ${JSON.stringify(heard)}`)), 90_000);
              const isThere = () => heard.some((event) => event.type === type && event.id === e.id
                && Object.keys(values).every((name) => JSON.stringify(event[name]) === JSON.stringify(values[name])));
              if (isThere()) return resolve();
              e.addEventListener(type, () => isThere() && resolve());
            })""",
            [type, values],
        )

    def rests(self, n: int = 0) -> int:
        """Wait until the n-th trainer knows that nobody sees it; the epochs of its run so far."""
        trained: int = self.trainer(n).evaluate(
            """({ controller }) => new Promise((resolve, reject) => {
              setTimeout(() => reject(new Error("It does not rest.")), 90_000);
              const look = () => (controller.engine.resting ? resolve(controller.trained) : setTimeout(look, 20));
              look();
            })"""
        )
        return trained

    def fits(self, n: int = 0) -> None:
        """The frame becomes as large as its content: no scroll bar, nothing cut off."""
        over = (
            self.frame(n)
            .locator("html")
            .evaluate(
                """async (e) => {
              const over = () => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth];
              for (let i = 0; i < 120 && over().some(Boolean); i++) await new Promise(requestAnimationFrame);
              return over();
            }"""
            )
        )
        assert over == [0, 0]


OpenHost = Callable[..., HostPage]


@contextmanager
def open_host(browser: Browser, site: Site, hosts: Site, **options: Any) -> Iterator[HostPage]:
    """A context for pages of `hosts`; at the end, nothing has gone wrong in it."""
    scripts = options.pop("scripts", ())
    context = browser.new_context(viewport=options.pop("viewport", {"width": 1280, "height": 900}), **options)
    try:
        for script in (LISTEN, *scripts):
            context.add_init_script(script)
        page = context.new_page()
        url = hosts.url.replace("127.0.0.1", "playground.test")
        watch = Watch(page, site.url)
        watch.allow(f"^leaves the site: {url}")
        yield HostPage(page, watch, url)
        watch.check()
    finally:
        context.close()
