"""The C interface with wrong arguments, generated from its header: every function x every parameter x every value that
is wrong for its type (NULL, a handle of another type, a destroyed handle, negative and huge numbers, enums that do not
exist, text that is empty, unknown, long or not UTF-8, structs of no size). Each call must come back with a status; a
handle that cannot be right, and NULL where the header does not allow it, are ARGUMENT with a message that names the
parameter; and what the handles hold is the same afterwards.

Prints the number of functions and of calls. With --table it prints the table: function, parameter, value, status.
"""

import ctypes
import faulthandler
import os
import re
import sys
import tempfile

SOURCE = os.environ.get("VTEMPER_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
if not os.path.exists(os.environ.get("VTEMPER_LIBRARY", "")):
    print("VTEMPER_LIBRARY does not name the library")
    sys.exit(77)
faulthandler.enable()
library = ctypes.CDLL(os.environ["VTEMPER_LIBRARY"])

HANDLES = ("options", "data", "group", "model", "optimizer")
CALLBACKS = ("vtemper_monitor", "vtemper_message", "vtemper_interrupt", "vtemper_release", "vtemper_reduce", "vtemper_exchange")
OK, ARGUMENT, STATUSES = 0, 1, set(range(0, 12)) | {20}
INT64_MAX, INT64_MIN = 2**63 - 1, -(2**63)
# Parameters that the header allows to be NULL.
OPTIONAL = {
    "options", "release", "user", "format", "unknown_tokens", "scores", "heldout", "observed", "report", "reference", "monitor",
    "message", "batch", "interrupt",
}
OPTIONAL_THERE = {("vtemper_data_set_note", "text"), ("vtemper_model_set_note", "text"), ("vtemper_optimizer_create", "data"),
                  ("vtemper_optimizer_load", "data"), ("vtemper_optimizer_load_buffer", "data"), ("vtemper_data_set_row_texts", "texts"),
                  ("vtemper_data_row", "columns"), ("vtemper_data_row", "values"), ("vtemper_group_rank", "rank"),
                  ("vtemper_group_rank", "ranks")}
ROOM = 4096  # elements of the arrays that are passed, more than any of the calls reads or writes


def functions():
    with open(SOURCE + "/include/vtemper/vtemper.h") as header:
        text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)
    found = []
    for kind, name, parameters in re.findall(r"VTEMPER_API\s+([\w\s]+?[\s*]+)(vtemper_\w+)\(([^)]*)\)\s*;", text):
        list_ = [] if parameters.strip() == "void" else [p.strip() for p in re.sub(r"\s+", " ", parameters).split(",")]
        found.append((kind.strip(), name, [re.match(r"(.*?)(\w+)$", p).groups() for p in list_]))
    return found


ROWS, COLUMNS = 6, 4
offsets = (ctypes.c_int64 * (ROWS + 1))(*range(0, 2 * ROWS + 1, 2))
indices = (ctypes.c_int32 * (2 * ROWS))(*[c for r in range(ROWS) for c in (r % 2, 2 + r % 2)])
values = (ctypes.c_double * (2 * ROWS))(*[1 + i % 3 for i in range(2 * ROWS)])
names = (ctypes.c_char_p * COLUMNS)(b"one", b"two", b"three", b"four")


def status(function, *arguments):
    library[function].restype = ctypes.c_int32
    return library[function](*arguments)


def made(function, *arguments):
    handle = ctypes.c_void_p()
    result = status(function, *arguments, ctypes.byref(handle))
    assert result == OK, (function, last_error())
    return handle


def last_error():
    library.vtemper_last_error.restype = ctypes.c_char_p
    return library.vtemper_last_error().decode(errors="backslashreplace")


def make_data():
    null = ctypes.c_void_p()
    return made("vtemper_data_from_counts", 1, ctypes.c_int64(ROWS), ctypes.c_int64(COLUMNS), offsets, 2, indices, 1, values, 4,
                ctypes.c_int64(0), 1, null, null)


def make(kind):
    if kind == "options":
        return made("vtemper_options_create")
    if kind == "data":
        return make_data()
    if kind == "group":
        null = ctypes.c_void_p()
        return made("vtemper_group_create", ctypes.c_int32(0), ctypes.c_int32(1), null, null, null, null)
    options = made("vtemper_options_create")
    status("vtemper_options_set", options, b"topics", b"3")
    model = made("vtemper_model_create", b"lda", options)
    status("vtemper_options_destroy", options)
    if kind == "model":
        data = make_data()
        assert status("vtemper_model_initialize", model, data, ctypes.c_uint64(3)) == OK
        status("vtemper_data_destroy", data)
        return model
    options = made("vtemper_options_create")
    status("vtemper_options_set", options, b"threads", b"1")
    data = make_data()
    optimizer = made("vtemper_optimizer_create", model, data, options)
    assert status("vtemper_optimizer_step", optimizer, ctypes.c_int64(1), None) == OK
    for one in (options, "vtemper_options"), (data, "vtemper_data"), (model, "vtemper_model"):
        status(one[1] + "_destroy", one[0])
    return optimizer


def picture(handles):
    """All that a model and an optimizer hold, as bytes."""
    result = []
    for kind in ("model", "optimizer"):
        size = ctypes.c_int64()
        assert status("vtemper_%s_save_buffer" % kind, handles[kind], None, ctypes.c_int64(0), ctypes.byref(size)) == OK, last_error()
        buffer = ctypes.create_string_buffer(size.value)
        assert status("vtemper_%s_save_buffer" % kind, handles[kind], buffer, size, ctypes.byref(size)) == OK
        result.append(buffer.raw)
    return result


handles = {kind: make(kind) for kind in HANDLES}
destroyed = {}
for kind in HANDLES:
    # The memory of a destroyed handle belongs to the allocator. A buffer that nobody else writes to stands in for it.
    destroyed[kind] = ctypes.cast(ctypes.create_string_buffer(256), ctypes.c_void_p)
reals = (ctypes.c_double * ROOM)(*[0.5] * ROOM)
text_pointer = ctypes.c_char_p()
folder = "/nonexistent-folder/file"


def array_of(kind):
    return (kind * ROOM)()


def struct_of(name, size):
    """A struct whose first word is its size; 4096 bytes behind it."""
    room = ctypes.create_string_buffer(8192)
    ctypes.c_size_t.from_buffer(room).value = size
    return room


SIZES = {"vtemper_report": 152, "vtemper_option": 64, "vtemper_quantity": 64}


def good(function, type_, name):
    """A value that is right, or near it; never one that makes the call write outside of what it is given."""
    base = type_.replace("const", "").replace(" ", "")
    for kind in HANDLES:
        if base == "vtemper_%s*" % kind:
            return handles[kind]
        if base == "vtemper_%s**" % kind:
            return ctypes.byref(ctypes.c_void_p())
    if base.rstrip("*") in SIZES and base.endswith("*"):
        return struct_of(base, SIZES[base.rstrip("*")])
    if base in CALLBACKS:
        return None
    if base == "char**":
        return names if name in ("names", "texts") else ctypes.byref(ctypes.c_char_p())
    if base == "char*":
        known = {"subject": b"lda", "kind": b"lda", "format": b"auto", "path": folder.encode(), "quantity": b"gamma", "measure": b"predictive",
                 "how": b"probability", "field": b"name"}
        return known.get(name, b"temperature.weights" if function.startswith("vtemper_optimizer_") else b"lambda" if function.startswith("vtemper_model_get") or function == "vtemper_model_set" else b"name")
    if base == "void*":
        return {"offsets": offsets, "indices": indices, "values": values, "symbols": indices, "user": None}.get(name, array_of(ctypes.c_double))
    if base == "double*":
        return array_of(ctypes.c_double) if name in ("out", "bytes", "total", "unknown_tokens", "scores", "statistics") or function == "vtemper_data_row" else reals
    if base == "int64_t*":
        return array_of(ctypes.c_int64)
    if base == "int32_t*" or base == "vtemper_data_form*":
        return array_of(ctypes.c_int32)
    if base == "double":
        return ctypes.c_double(0.5)
    if base == "vtemper_element":
        return ctypes.c_int32({"offsets_type": 2, "values_type": 4, "statistics_type": 4}.get(name, 1))
    if base.startswith("vtemper_"):
        return ctypes.c_int32(1)
    if base == "int32_t":
        return ctypes.c_int32(1 if name == "ranks" else 0)
    if base == "uint64_t":
        return ctypes.c_uint64(1)
    if base == "int64_t":
        number = {"rows": ROWS, "columns": COLUMNS, "alphabet": COLUMNS, "row_stride": COLUMNS, "column_stride": 1, "index_base": 0, "index": 0, "topic": 0,
                  "row": 0, "column": 0, "n": 2, "steps": 1, "capacity": 8 * ROOM, "size": 64, "count": COLUMNS}.get(name, 1)
        if name == "length":
            number = {"vtemper_model_infer": 3 * ROWS, "vtemper_model_infer_strided": 3 * ROWS, "vtemper_model_evaluate_topics": 3,
                      "vtemper_model_get": 3 * COLUMNS, "vtemper_model_get_strided": 3 * COLUMNS}.get(function, 1)
        return ctypes.c_int64(number)
    raise KeyError(function + ": " + type_ + name)


def wrong(function, type_, name):
    """Names and values that are wrong for a parameter; True where the status must be ARGUMENT."""
    base = type_.replace("const", "").replace(" ", "")
    if base.endswith("*") or base in CALLBACKS:
        if base != "void*" and not base.startswith(CALLBACKS):
            yield "NULL", None, name not in OPTIONAL and (function, name) not in OPTIONAL_THERE
        for kind in HANDLES:
            if base == "vtemper_%s*" % kind:
                yield "destroyed", destroyed[kind], True
                for other in HANDLES:
                    if other != kind:
                        yield other, handles[other], True
    if base == "char*":
        for label, text in (("empty", b""), ("unknown", b"no such name"), ("not UTF-8", b"\xff\xfe"), ("long", b"x" * 100000), ("escape", b"\x1b[31m")):
            yield label, text, False
    elif base.rstrip("*") in SIZES and base.endswith("*"):
        yield "size 0", struct_of(base, 0), True
        yield "size 5000", struct_of(base, 5000), True
    elif base == "double":
        for number in (float("nan"), float("inf"), -1.0, 0.0, 1.0, 1e308):
            yield str(number), ctypes.c_double(number), False
    elif base in ("int64_t", "uint64_t"):
        # Sizes never exceed those of the arrays that are passed: that would be an error of the caller.
        numbers = [-1, INT64_MIN, 0]
        if name in ("index", "topic", "row", "column", "index_base", "seed", "n", "row_stride", "column_stride", "length"):
            numbers.append(INT64_MAX)
        for number in numbers:
            yield str(number), ctypes.c_int64(number) if base == "int64_t" else ctypes.c_uint64(number % 2**64), False
    elif base == "int32_t" or base.startswith("vtemper_") and not base.endswith("*") and base not in CALLBACKS:
        for number in (-1, 0, 99, 2**31 - 1, -(2**31)):
            yield str(number), ctypes.c_int32(number), False


def main():
    with tempfile.TemporaryDirectory() as folder_now:  # some of the names are valid for a new file
        os.chdir(folder_now)
        result = table_of_calls()
        os.chdir("/")
    sys.exit(result)


def table_of_calls():
    failures, calls, table = [], 0, "--table" in sys.argv
    before = picture(handles)
    listed = functions()
    for result, name, parameters in listed:
        # Functions that destroy a handle, or change what the other cases use, get handles of their own below.
        own = name.endswith("_destroy") or name in ("vtemper_model_initialize", "vtemper_model_set", "vtemper_optimizer_set", "vtemper_optimizer_run",
                                                    "vtemper_optimizer_step", "vtemper_optimizer_feed", "vtemper_optimizer_local_step",
                                                    "vtemper_optimizer_global_step", "vtemper_optimizer_local_step_at",
                                                    "vtemper_optimizer_global_step_of", "vtemper_data_set_part", "vtemper_optimizer_create", "vtemper_model_set_note", "vtemper_options_set", "vtemper_options_set_text",
                                                    "vtemper_options_set_integer", "vtemper_options_set_real", "vtemper_options_set_reals")
        if name.startswith("vtemper_optimizer_get") or name == "vtemper_optimizer_set":
            OPTIONAL_THERE.add((name, "in"))  # without a valid name, no message can mention the numbers
            OPTIONAL_THERE.add((name, "out"))
        for at, (type_, parameter) in enumerate(parameters):
            for label, value, must_refuse in wrong(name, type_, parameter):
                if own and label not in ("NULL", "destroyed", "size 0", "size 5000", *HANDLES):
                    continue  # it might be valid and change the handle
                arguments = [value if i == at else good(name, t, p) for i, (t, p) in enumerate(parameters)]
                if own and not must_refuse:
                    continue
                function = library[name]
                if "vtemper_status" not in result:
                    function.restype = None
                    if name.endswith("_destroy") and label != "NULL":
                        continue  # a foreign handle would be destroyed: an error of the caller
                    function(*arguments)
                    calls += 1
                    continue
                got = status(name, *arguments)
                calls += 1
                message = last_error() if got != OK else ""
                if table:
                    print("%-40s %-15s %-22s %d" % (name, parameter, label, got))
                if b"\xff" in (library.vtemper_last_error() if got != OK else b"") and parameter not in ("path", "out_path"):
                    failures.append("the message of %s is not UTF-8: %s" % (name, message[:100]))
                where = "%s(%s = %s) gives %d: %s" % (name, parameter, label, got, message[:200])
                if got not in STATUSES or got == 10:
                    failures.append(where)
                elif got != OK and len(message) < 15:
                    failures.append("no message: " + where)
                elif must_refuse and got != ARGUMENT:
                    failures.append("not refused: " + where)
                elif must_refuse and parameter not in message:
                    failures.append("the message does not name the parameter: " + where)
    if picture(handles) != before:
        failures.append("wrong arguments have changed what a handle holds")
    for text in failures[:60]:
        print("FAILED:", text)
    print("%d functions of the header, %d calls with a wrong argument, %d failures" % (len(listed), calls, len(failures)))
    return 1 if failures or len(listed) < 80 or calls < 500 else 0


if __name__ == "__main__":
    main()
