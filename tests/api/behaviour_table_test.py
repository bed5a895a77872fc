"""The C interface with wrong arguments, generated from its header: every function x every parameter x every value that
is wrong for its type (NULL, a handle of another type, a destroyed handle, negative and huge numbers, enums that do not
exist, text that is empty, unknown, long or not UTF-8, structs of no size). Each call must come back with a status; a
handle that cannot be right, and NULL where the header does not allow it, are ARGUMENT with a message that names the
parameter; and what the handles hold is the same afterwards.

Functions that change a handle (one of their parameters is a handle that is not const) get new ones for each call. With
right arguments they must succeed, so that it is the one wrong argument that is refused: with any status but OK and a
message that names the parameter or repeats the value. What the new handles hold is compared after each such call.

Prints the numbers of functions and of calls. With --table it prints the table: function, parameter, value, status.
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources stay as they are
from behaviour_arguments import (ACCEPTED, ARGUMENT, NEVER, OK, OPTIONAL_THERE, STATUSES, WORDS, changed_handles, functions, good, handles,
                                 last_error, library, make, make_fed, optional, other_data, picture, right, status, wrong, wrong_there)


def new_handles(name, parameters):
    """Handles for one call, of the kinds that the function may change."""
    fed = name in ("vtemper_optimizer_feed", "vtemper_optimizer_local_step_at")
    own = {kind: make_fed() if fed else make(kind) for kind in changed_handles(parameters)}
    if "options" in own:
        for option, text in (b"name", b"earlier"), (b"topics", b"3"):
            assert status("vtemper_options_set", own["options"], option, text) == OK
    return own


def destroy(own):
    for kind, handle in own.items():
        library["vtemper_%s_destroy" % kind](handle)


def amiss_of_changing(name, parameters, at, label, value, _):
    """Calls a function that changes a handle with new handles and one wrong argument, or none; gives status, message and what
    is amiss."""
    own = new_handles(name, parameters)
    arguments = right(name, parameters, own)
    parameter = ""
    if at is not None:
        arguments[at], parameter = value, parameters[at][1]
    before = picture(own)
    got = status(name, *arguments)
    message = last_error() if got != OK else ""
    amiss = []
    if at is None or label in ACCEPTED.get((name, parameter), ()) or label == "NULL" and optional(name, *parameters[at]):
        if got != OK:
            amiss.append("a right call is refused")
    elif got == OK:
        amiss.append("not refused")
    else:
        repeated = value.decode(errors="ignore")[:20] if isinstance(value, bytes) else ""
        named = r"argument %s\b|\b%s\[|\b(%s)" % (parameter, parameter, WORDS.get(parameter, "argument %s " % parameter))
        if not re.search(named, message) and not (repeated and repeated in message):
            amiss.append("the message names neither parameter nor value")
    if got != OK and picture(own) != before:
        amiss.append("it has changed what the handle holds")
    destroy(own)
    return got, message, amiss


def main():
    with tempfile.TemporaryDirectory() as folder_now:  # some of the names are valid for a new file
        os.chdir(folder_now)
        result = table_of_calls()
        os.chdir("/")
    sys.exit(result)


def cases_of(name, parameters, changes):
    """The wrong arguments of a function: place, name of the value, the value and whether the status must be ARGUMENT."""
    if not changes:
        for at, (type_, parameter) in enumerate(parameters):
            for label, value, must_refuse in wrong(name, type_, parameter):
                yield at, label, value, must_refuse
        return
    yield None, "right", None, False
    own = new_handles(name, parameters)
    arguments = right(name, parameters, own)
    length = [value.value for value, (_, parameter) in zip(arguments, parameters) if parameter in ("length", "count")] or [0]
    for at, (type_, parameter) in enumerate(parameters):
        tried = list(wrong(name, type_, parameter))
        tried += [(label, value, False) for label, value in wrong_there(type_, parameter, arguments[at], length[0])]
        for label, value, must_refuse in tried:
            if (name, parameter, label) not in NEVER:
                yield at, label, value, must_refuse
    destroy(own)


def amiss_of_reading(name, parameters, at, label, value, must_refuse):
    """Calls a function with one wrong argument; gives status, message and what is amiss."""
    got = status(name, *[value if i == at else good(name, t, p) for i, (t, p) in enumerate(parameters)])
    message = last_error() if got != OK else ""
    if must_refuse and got == ARGUMENT and parameters[at][1] not in message:
        return got, message, ["the message does not name the parameter"]
    return got, message, []


def table_of_calls():
    failures, calls, changing, table = [], 0, 0, "--table" in sys.argv
    everything = {**handles, **other_data}
    before = picture(everything)
    listed = functions()
    for result, name, parameters in listed:
        changes = bool(changed_handles(parameters)) and "vtemper_status" in result
        if name.startswith("vtemper_optimizer_get"):
            OPTIONAL_THERE.add((name, "out"))  # without a valid name, no message can mention the numbers
        for at, label, value, must_refuse in cases_of(name, parameters, changes):
            parameter = parameters[at][1] if at is not None else ""
            if "vtemper_status" not in result:
                if name.endswith("_destroy") and label != "NULL":
                    continue  # a foreign handle would be destroyed: an error of the caller
                library[name].restype = None
                library[name](*[value if i == at else good(name, t, p) for i, (t, p) in enumerate(parameters)])
                calls += 1
                continue
            got, message, amiss = (amiss_of_changing if changes else amiss_of_reading)(name, parameters, at, label, value, must_refuse)
            calls += at is not None
            changing += changes and at is not None
            if table:
                print("%-40s %-15s %-22s %d" % (name, parameter, label, got))
            if b"\xff" in (library.vtemper_last_error() if got != OK else b"") and parameter not in ("path", "out_path"):
                amiss.append("the message is not UTF-8")
            if got not in STATUSES or got == 10:
                amiss.append("no status of the header that may occur")
            if got != OK and len(message) < 15:
                amiss.append("no message")
            if must_refuse and got != ARGUMENT:
                amiss.append("not refused with ARGUMENT")
            failures += ["%s: %s(%s = %s) gives %d: %s" % (text, name, parameter, label, got, message[:200]) for text in amiss]
    if picture(everything) != before:
        failures.append("wrong arguments have changed what a handle holds")
    for text in failures[:60]:
        print("FAILED:", text)
    print("%d functions of the header, %d calls with a wrong argument, %d of them of functions that change a handle, %d failures" %
          (len(listed), calls, changing, len(failures)))
    return 1 if failures or len(listed) < 80 or calls < 1500 or changing < 500 else 0


if __name__ == "__main__":
    main()
