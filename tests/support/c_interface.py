"""The C interface by ctypes alone, for tests that need no package: VTEMPER_LIBRARY is the library."""

import ctypes
import os
import sys

INT32, INT64, DOUBLE = 1, 2, 4
BY_ROWS, COPY = 1, 1

I64, F64, VOID = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p

library = ctypes.CDLL(os.environ["VTEMPER_LIBRARY"])
library.vtemper_last_error.restype = ctypes.c_char_p


def call(name, *arguments):
    status = getattr(library, name)(*arguments)
    if status != 0:
        sys.exit("%s: %s" % (name, library.vtemper_last_error().decode()))


def options(**values):
    handle = VOID()
    call("vtemper_options_create", ctypes.byref(handle))
    for name, value in values.items():
        call("vtemper_options_set", handle, name.encode(), str(value).encode())
    return handle


def pointer(array):
    return array.ctypes.data_as(VOID)
