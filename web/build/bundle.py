"""The page's JavaScript and CSS, bundled by esbuild into files whose names carry a hash of their content."""

from __future__ import annotations

import shutil

from web.build.environment import node, node_env
from web.build.project import ROOT, WEB, WORK, BuildError, run
from web.build.stamps import step

FOLDER = WORK / "bundle"
ENTRIES = ("src/app.js", "src/embed/page.js", "src/embed/element.js", "src/engine/worker.js", "styles/site.css")


def ensure_bundle() -> None:
    """Bundle if a source or a package has changed: .build/bundle/assets/*, embed.js and entries.json."""
    for entry in ENTRIES:
        if not (WEB / entry).exists():
            raise BuildError(f"The site cannot be bundled: web/{entry} is missing.")
    step(
        "bundle",
        inputs=[
            WEB / "src",
            WEB / "simd",
            WEB / "styles",
            WEB / "package-lock.json",
            WEB / "build" / "bundle.mjs",
            WEB / "build" / "math_font.mjs",
        ],
        outputs=[FOLDER],
        action=_bundle,
    )


def _bundle() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    run(
        [node(), WEB / "build" / "bundle.mjs", FOLDER],
        doing="Bundling the site",
        cwd=ROOT,
        env=node_env(),
    )
