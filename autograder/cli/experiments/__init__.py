"""Provides the verb `experiment`: measurements that take minutes or a night, written as JSON and plotted.

The commands of a lab are in the module with the lab's name; `streamlab.LAB.experiments` measures.
"""

import importlib
from pathlib import Path

import click


@click.group()
def experiment() -> None:
    """Repeat on this machine the measurements behind the labs' plots."""


for _file in sorted(Path(__file__).parent.glob("lab*.py")):
    for _value in vars(importlib.import_module(f"{__name__}.{_file.stem}")).values():
        if isinstance(_value, click.Command):
            experiment.add_command(_value)
