"""What behaviour_table_test.py needs: the functions of the header, handles and what they hold, and the right and the wrong
values of every parameter. Ends with 77 where there is no library.
"""

import ctypes
import faulthandler
import os
import re
import sys

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
# NULL is refused there, with any status, although it is allowed elsewhere or together with other arguments.
NEEDED_THERE = {("vtemper_optimizer_feed", "batch"), ("vtemper_optimizer_local_step_at", "batch"), ("vtemper_data_set_row_texts", "texts"),
                ("vtemper_optimizer_create", "data")}
# What functions that change a handle accept, of the values that `wrong` and `wrong_there` list: names and values of options
# are checked where the set is used, texts of notes and rows may be any, as may a seed.
WHOLE = {str(INT64_MAX), str(INT64_MIN), "-1", "0", "one more", "one less"}
TEXTS = {"unknown", "long", "escape"}
ACCEPTED = {
    ("vtemper_options_set", "name"): TEXTS, ("vtemper_options_set", "text"): TEXTS | {"empty"},
    ("vtemper_options_set_text", "name"): TEXTS, ("vtemper_options_set_text", "text"): TEXTS | {"empty"},
    ("vtemper_options_set_integer", "name"): TEXTS, ("vtemper_options_set_integer", "value"): WHOLE,
    ("vtemper_options_set_real", "name"): TEXTS, ("vtemper_options_set_real", "value"): {"-1.0", "0.0", "1.0", "1e+308"},
    ("vtemper_options_set_reals", "name"): TEXTS, ("vtemper_options_set_reals", "values"): {"negative"},
    ("vtemper_options_set_reals", "length"): {"one more", "one less"},
    ("vtemper_data_set_row_texts", "texts"): {"empty text in it", "repeated text"},
    ("vtemper_data_set_note", "name"): TEXTS, ("vtemper_data_set_note", "text"): TEXTS | {"empty"},
    ("vtemper_data_set_part", "first_row"): {"0", "one less"}, ("vtemper_data_set_part", "corpus_rows"): {"one more"},
    ("vtemper_data_spread", "own"): {"data of other columns", "dense data", "sequences"},
    ("vtemper_model_initialize", "seed"): WHOLE, ("vtemper_model_initialize", "data"): {"data of other columns"},
    ("vtemper_model_set_note", "name"): TEXTS, ("vtemper_model_set_note", "text"): TEXTS | {"empty"},
    ("vtemper_optimizer_local_step_at", "first_place"): {"0"},
    ("vtemper_optimizer_step", "steps"): {"0", "one more", "one less"},
}
# How a message may name a parameter, instead of "argument NAME" and "NAME[...".
WORDS = {"batch": "the data (have|are) |batch is NULL", "data": "the data (have|are) |no data and rows are fed", "name": "no quantity named ", "texts": "the name of row ",
         "count": "there (is|are) .* (names?|weights?|texts?) for ", "in": "element .* of lambda |iteration must be ", "corpus_rows": "argument first_row ",
         "statistics": "element .* of the (model's )?statistics ", "step_rows": "summed over other machines "}
# Valid, but they take forever, or make the library read more than there is.
NEVER = {("vtemper_optimizer_step", "steps", str(INT64_MAX)), ("vtemper_options_set_reals", "length", str(INT64_MAX))}
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
names = (ctypes.c_char_p * (COLUMNS + 1))(b"one", b"two", b"three", b"four", b"one more than columns")


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


def changed_handles(parameters):
    """The kinds of the handles that a function may change."""
    return [kind for type_, _ in parameters for kind in HANDLES if type_.replace(" ", "") == "vtemper_%s*" % kind]


def make_fed():
    """An optimizer without data of its own."""
    options = made("vtemper_options_create")
    status("vtemper_options_set", options, b"rows_total", str(ROWS).encode())
    status("vtemper_options_set", options, b"threads", b"1")
    model = make("model")
    optimizer = made("vtemper_optimizer_create", model, None, options)
    status("vtemper_options_destroy", options)
    status("vtemper_model_destroy", model)
    return optimizer


def picture(handles):
    """All that handles hold, as bytes and numbers."""
    result = []
    for kind in sorted(handles):
        if kind == "options":
            for name in (b"name", b"topics", b"threads", b"no such name"):
                text = ctypes.c_char_p()
                result.append((status("vtemper_options_get_text", handles[kind], name, ctypes.byref(text)), text.value))
        elif kind == "data" or kind in other_data:
            first, total = ctypes.c_int64(), ctypes.c_int64()
            assert status("vtemper_data_part", handles[kind], ctypes.byref(first), ctypes.byref(total)) == OK
            assert status("vtemper_data_write", handles[kind], b"picture") == OK, last_error()
            with open("picture", "rb") as file:
                result += [first.value, total.value, file.read()]
        elif kind == "group":
            rank, ranks = ctypes.c_int32(), ctypes.c_int32()
            assert status("vtemper_group_rank", handles[kind], ctypes.byref(rank), ctypes.byref(ranks)) == OK
            result += [rank.value, ranks.value]
        if kind not in ("model", "optimizer"):
            continue
        size = ctypes.c_int64()
        assert status("vtemper_%s_save_buffer" % kind, handles[kind], None, ctypes.c_int64(0), ctypes.byref(size)) == OK, last_error()
        buffer = ctypes.create_string_buffer(size.value)
        assert status("vtemper_%s_save_buffer" % kind, handles[kind], buffer, size, ctypes.byref(size)) == OK
        result.append(buffer.raw)
    return result


handles = {kind: make(kind) for kind in HANDLES}
other_data = {
    "data of other columns": made("vtemper_data_from_counts", 1, ctypes.c_int64(ROWS), ctypes.c_int64(COLUMNS + 1), offsets, 2, indices, 1,
                                  values, 4, ctypes.c_int64(0), 1, None, None),
    "dense data": made("vtemper_data_from_dense", ctypes.c_int64(ROWS), ctypes.c_int64(2), values, 4, ctypes.c_int64(2), ctypes.c_int64(1), 1, None,
                       None),
    "sequences": made("vtemper_data_from_sequences", ctypes.c_int64(ROWS), ctypes.c_int64(COLUMNS), offsets, 2, indices, 1, ctypes.c_int64(0), 1,
                      None, None),
}
destroyed = {}
for kind in HANDLES:
    # The memory of a destroyed handle belongs to the allocator. A buffer that nobody else writes to stands in for it.
    destroyed[kind] = ctypes.cast(ctypes.create_string_buffer(256), ctypes.c_void_p)
reals = (ctypes.c_double * ROOM)(*[0.5] * ROOM)
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


def optional(function, type_, name):
    """Whether the header allows NULL."""
    is_changed = bool(changed_handles([(type_, name)]))  # a set of options to write to, rather than one to read
    return (name in OPTIONAL or (function, name) in OPTIONAL_THERE) and not is_changed and (function, name) not in NEEDED_THERE


def wrong(function, type_, name):
    """Names and values that are wrong for a parameter; True where the status must be ARGUMENT."""
    base = type_.replace("const", "").replace(" ", "")
    if base.endswith("*") or base in CALLBACKS:
        if base != "void*" and not base.startswith(CALLBACKS):
            yield "NULL", None, not optional(function, type_, name) and (function, name) not in NEEDED_THERE
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


def right(function, parameters, own):
    """Arguments with which a function that changes the handles `own` succeeds."""
    statistics, length, count = array_of(ctypes.c_double), ctypes.c_int64(), ROWS if "row_texts" in function or "weights" in function else COLUMNS
    if "_step" in function and "statistics" in dict((name, type_) for type_, name in parameters):
        status("vtemper_optimizer_statistics_length", own["optimizer"], ctypes.byref(length))
    if "global_step" in function:
        assert status("vtemper_optimizer_local_step", own["optimizer"], None, statistics, length) == OK, last_error()
    known = {"first_row": ROWS, "corpus_rows": 2 * ROWS, "first_place": 0, "step_rows": ROWS, "count": count, "length": length.value or 2}
    if function in ("vtemper_model_set", "vtemper_optimizer_set"):
        known["length"] = 3 * COLUMNS if function == "vtemper_model_set" else 1
    arguments = []
    for type_, name in parameters:
        if name in known:
            arguments.append(ctypes.c_int64(known[name]))
        elif function == "vtemper_optimizer_set" and name in ("name", "in"):
            arguments.append(b"iteration" if name == "name" else (ctypes.c_double * ROOM)(2))
        elif name == "texts":
            arguments.append((ctypes.c_char_p * (ROWS + 1))(*[b"text"] * (ROWS + 1)))
        elif name == "statistics":
            arguments.append(statistics)
        else:
            fresh = [own[kind] for kind in own if type_.replace(" ", "") == "vtemper_%s*" % kind]
            arguments.append(fresh[0] if fresh else good(function, type_, name))
    return arguments


class Quantity(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("rank", ctypes.c_int32), ("settable", ctypes.c_int32),
                ("shape", ctypes.c_int64 * 4), ("description", ctypes.c_char_p)]


def signed_statistics():
    """The places of the statistics that may be negative: logarithms, and what is read only where it is positive."""
    count, place, signed, one = ctypes.c_int32(), 0, set(), Quantity(ctypes.sizeof(Quantity))
    status("vtemper_optimizer_statistics_count", handles["optimizer"], ctypes.byref(count))
    for index in range(count.value):
        assert status("vtemper_optimizer_statistics_info", handles["optimizer"], ctypes.c_int32(index), ctypes.byref(one)) == OK
        size = one.shape[0] * one.shape[1]
        if re.match(rb"sums\.(expected_log_likelihood|bound|cold_bound)|digammas", one.name):
            signed.update(range(place, place + size))
        place += size
    return signed


def wrong_there(type_, name, value, length):
    """More names and values that are wrong for a parameter of a function that changes a handle. `value` is right."""
    signed = signed_statistics() if name == "statistics" else ()
    if type_.startswith("const") and name in ("in", "values", "weights", "statistics"):
        for at in range(length) if name == "statistics" else (0, length - 1):
            for label, number in ("NaN", float("nan")), ("infinity", float("inf")), ("negative", -1.0):
                if label == "negative" and name == "statistics" and at in signed:
                    continue
                array = (ctypes.c_double * ROOM)(*value)
                array[at] = number
                yield label if name != "statistics" else "%s at %d" % (label, at), array
    elif name in ("names", "texts"):
        for label, text in ("NULL in it", None), ("empty text in it", b""), ("not UTF-8 in it", b"\xff\xfe"), ("repeated text", value[0]):
            array = type(value)(*value)
            array[length - 1] = text
            yield label, array
    elif "vtemper_data*" in type_.replace(" ", "") and type_.startswith("const"):
        yield from other_data.items()
    elif type_.strip() == "int64_t":
        for label, number in ("one more", value.value + 1), ("one less", value.value - 1), (str(INT64_MAX), INT64_MAX):
            yield label, ctypes.c_int64(number)
    elif type_.strip() == "vtemper_element":
        yield "integers", ctypes.c_int32(2)
