"""Run benchmarks and print their report as Markdown: python -m tests.bench [step] [sizes] [start] [page] [soak].

`python3 build.py bench` makes the site and all that the benchmarks need, and then calls this.
"""

from __future__ import annotations

import argparse
import importlib

from tests.bench.report import machine, note

BENCHMARKS = {
    "step": "training steps per second, beside other ways to take them; a few minutes",
    "sizes": "the same for other batches, widths and lengths; two minutes",
    "start": "from opening the page to the first picture and to the live engine",
    "page": "frames, long tasks and answers while the page trains",
    "soak": "memory over ten minutes of training and 200 resets",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="build.py bench", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"{name:7}{what}" for name, what in BENCHMARKS.items()),
    )  # fmt: skip
    parser.add_argument("names", nargs="*", metavar="BENCHMARK", help="which to run; all but soak without one")
    names = parser.parse_args().names or [name for name in BENCHMARKS if name != "soak"]
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"There is no benchmark {name!r}. Choose from {', '.join(BENCHMARKS)}.")
    print(f"{machine()}\n")
    for name in names:
        note(f"-- {name}: {BENCHMARKS[name]}")
        print(f"{importlib.import_module(f'tests.bench.{name}').run()}\n", flush=True)


if __name__ == "__main__":
    main()
