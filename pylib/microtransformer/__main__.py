"""Command line: `python -m microtransformer train --task reverse --mask causal`, `… limits`, `… theory`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Any, NoReturn

from . import __version__, archive, theory
from .config import ModelConfig, TrainConfig
from .limits import Limit, bayes_limit
from .masks import MASKS
from .playground import describe
from .tasks import TASKS
from .training import Trainer, TrainingDiverged

BAR = 20
"""Width of the progress bar in characters."""


class Parser(argparse.ArgumentParser):
    """Answers a wrong argument with one sentence and exit code 2, without the usage lines."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message.rstrip('.')}. See {self.prog} --help.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 1 when training diverged, 2 for wrong arguments."""
    parser = Parser(prog="microtransformer", description="A Transformer small enough to read, in NumPy.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    train = commands.add_parser("train", help="train a model and print its scores epoch by epoch")
    _add_settings(train)
    train.add_argument("--json", type=Path, metavar="FILE", help="write settings, limits and history to FILE")
    train.add_argument("--npz", type=Path, metavar="FILE", help="write the run with all its weights to FILE")
    train.set_defaults(run=_train)
    limits = commands.add_parser("limits", help="print the best scores any model can reach")
    limits.add_argument("--vocab-size", type=int, default=ModelConfig.vocab_size)
    limits.add_argument("--seq-len", type=int, default=ModelConfig.seq_len)
    limits.add_argument("--json", type=Path, metavar="FILE", help="write the table to FILE as well")
    limits.set_defaults(run=_limits)
    numbers = commands.add_parser("theory", help="print the numbers behind the article")
    numbers.add_argument("--seed", type=int, default=0, help="of all random draws; default: 0")
    numbers.add_argument("--json", type=Path, metavar="FILE", help="write all of them to FILE, those of every figure")
    numbers.set_defaults(run=_theory)
    options = parser.parse_args(arguments)
    command = {"train": train, "limits": limits, "theory": numbers}[options.command]
    try:
        code: int = options.run(options)
    except TrainingDiverged as error:
        print(error, file=sys.stderr)
        return 1
    except ValueError as error:
        command.error(str(error))
    except BrokenPipeError:
        # Whoever read the table has closed it, as `head` does. Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        command.error(f"{error.filename} cannot be written: {error.strerror}")
    return code


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """One option per field of the two configs, with the defaults that stand there."""
    choices: dict[str, list[str]] = {"task": list(TASKS), "mask": list(MASKS), "norm": ["pre", "post", "none"]}
    for kind in (TrainConfig, ModelConfig):
        group = parser.add_argument_group(kind.__name__)
        for field in fields(kind):
            assert field.default is not MISSING
            flag = "--" + field.name.replace("_", "-")
            text = f"default: {field.default}"
            if isinstance(field.default, bool):
                group.add_argument(flag, action=argparse.BooleanOptionalAction, default=field.default, help=text)
            else:
                group.add_argument(
                    flag, type=type(field.default), default=field.default, choices=choices.get(field.name), help=text
                )


def _settings(kind: type[ModelConfig] | type[TrainConfig], options: argparse.Namespace) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in fields(kind)}


def _train(options: argparse.Namespace) -> int:
    trainer = Trainer(ModelConfig(**_settings(ModelConfig, options)), TrainConfig(**_settings(TrainConfig, options)))
    facts = describe(trainer)
    limit = facts["limit"]
    limit_ce, limit_accuracy = (f"{limit['ce']:.4f}", f"{limit['accuracy']:.2%}") if limit else ("-", "-")
    for path in (options.json, options.npz):
        if path:
            path.open("ab").close()  # a path that cannot be written is refused now, not after the training
    print(
        f"{trainer.train.task}, {trainer.train.mask} mask, seed {trainer.train.seed}: {facts['parameters']:,} "
        f"parameters, {facts['train_sequences']:,} training and {facts['held_out_sequences']:,} held-out sequences"
    )
    head = f"{'epoch':<{BAR + 8}} {'train CE':>9} {'CE':>9} {'limit':>9} {'accuracy':>9} {'limit':>9} {'exact':>8}"
    print(f"{head}\n{'-' * len(head)}")
    for epoch in range(trainer.train.epochs + 1):
        record = trainer.run_epoch() if epoch else trainer.history[0]
        done = BAR * epoch // trainer.train.epochs
        counter = f"{epoch:>3}/{trainer.train.epochs}"
        print(
            f"{counter:<7} {'█' * done}{'░' * (BAR - done)} {record.train_ce:>9.4f} {record.ce:>9.4f} "
            f"{limit_ce:>9} {record.accuracy:>9.2%} {limit_accuracy:>9} {record.exact_match:>8.2%}",
            flush=True,
        )
    print("CE in nats per token; CE, accuracy and exact match on the held-out sequences.")
    if options.json:
        history = [asdict(record) for record in trainer.history]
        _write_json(options.json, {"format": archive.FORMAT} | facts | {"history": history})
    if options.npz:
        trainer.save(options.npz)
    return 0


def _limits(options: argparse.Namespace) -> int:
    table: dict[tuple[str, str], Limit] = {
        (task, mask): bayes_limit(task, mask, options.vocab_size, options.seq_len) for task in TASKS for mask in MASKS
    }
    head = f"{'task':<9} {'mask':<14} {'CE':>8} {'accuracy':>9}   accuracy per position"
    print(f"{head}\n{'-' * (len(head) + 6)}")
    for (task, mask), limit in table.items():
        per_position = "  ".join(f"{value:>7.2%}" for value in limit.accuracy_per_position)
        print(f"{task:<9} {mask:<14} {limit.ce:>8.5f} {limit.accuracy:>9.3%}   {per_position}")
    print("The lowest cross-entropy (nats per token) and the highest accuracy that any model can reach.")
    if options.json:
        _write_json(options.json, [{"task": t, "mask": m, **asdict(limit)} for (t, m), limit in table.items()])
    return 0


def _theory(options: argparse.Namespace) -> int:
    numbers = theory.numbers(options.seed)
    print(theory.in_words(numbers))
    if options.json:
        _write_json(options.json, numbers)
    return 0


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
