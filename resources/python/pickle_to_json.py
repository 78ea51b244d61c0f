#!/usr/bin/env python3
"""OpenCap's cameraIntrinsicsExtrinsics.pickle as JSON that Vantage reads, next to each file.

Usage: pickle_to_json.py FILE.pickle...

Reads numbers, texts, lists and NumPy's arrays and needs nothing but Python: no function that a pickle names is
called but the stand-ins below, and names that do not describe an array are refused.
"""
import json
import pathlib
import pickle
import struct
import sys

LETTERS = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "u4": "I", "i2": "h", "u2": "H", "u1": "B"}


class Type(str):
    def __setstate__(self, state):
        self.order = ">" if state[1] == ">" else "<"


class Array:
    def __setstate__(self, state):
        _, shape, kind, by_columns, data = state
        data = data.encode("latin1") if isinstance(data, str) else data
        letter = LETTERS[kind.lstrip("<>=|")]
        count = len(data) // struct.calcsize("=" + letter)
        values = struct.unpack(f"{getattr(kind, 'order', '<')}{count}{letter}", data)
        self.rows = nested(values, list(shape), by_columns)


def nested(values, shape, by_columns):
    """Lists of the shape; by columns the first index changes fastest."""
    if not shape:
        return values[0]
    if by_columns:
        return [nested(values[i :: shape[0]], shape[1:], True) for i in range(shape[0])]
    step = len(values) // shape[0]
    return [nested(values[i * step : (i + 1) * step], shape[1:], False) for i in range(shape[0])]


def array(shape, kind, by_columns, data):
    made = Array()
    made.__setstate__((1, shape, kind, by_columns, data))
    return made


KNOWN = {
    "numpy.dtype": lambda name, *_: Type(name),
    "numpy.ndarray": Array,
    "numpy.core.multiarray._reconstruct": lambda *_: Array(),
    "numpy.core.multiarray.scalar": lambda kind, data: array((), kind, False, data),
    "numpy.core.numeric._frombuffer": lambda data, kind, shape, order: array(shape, kind, order == "F", bytes(data)),
    "_codecs.encode": lambda text, _: text.encode("latin1"),
}


class DataAlone(pickle.Unpickler):
    def find_class(self, module, name):
        name = module.replace("numpy._core", "numpy.core") + "." + name
        if name not in KNOWN:
            raise pickle.UnpicklingError(f"calls {name}, which no calibration needs")
        return KNOWN[name]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in map(pathlib.Path, sys.argv[1:]):
        try:
            with name.open("rb") as file:
                text = json.dumps(DataAlone(file).load(), default=lambda value: value.rows)
        except Exception as error:  # a damaged pickle fails in any way
            sys.exit(f"{name}: not a pickle of numbers, texts and arrays ({error})")
        part = name.with_suffix(".json.part")
        part.write_text(text)
        part.replace(name.with_suffix(".json"))
