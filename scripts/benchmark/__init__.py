"""The measurements of `scripts/bench`, one module each."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
