"""Writes src/vtemper/_header.py from the public header, and src/vtemper/kinds.py from the library's list of model kinds.

    VTEMPER_LIBRARY=... python3 tools/generate.py HEADER VERSION_HEADER [FOLDER]

HEADER is vtemper.h, VERSION_HEADER version.h beside it; FOLDER receives the two files (default: ../src/vtemper). The test
tests/bindings/python/generated_test.sh runs this and compares with what is committed.
"""
import ctypes
import os
import re
import sys

NOTICE = '''"""%s

Written by tools/generate.py: change that, or the header, and run it again.
"""
'''

PLAIN = {"double": "c_double", "int": "c_int", "size_t": "c_size_t", "int32_t": "c_int32", "int64_t": "c_int64",
         "uint64_t": "c_uint64", "const char*": "c_char_p"}

# What a kind can do besides fitting, as classes of roles.py; a kind that is not listed is Latent: its rows are values of
# latent variables.
ROLES = {"lda": "Topics", "deep_exponential_family": "Words", "gaussian_mixture": "Mixture", "bernoulli_mixture": "Classes",
         "hidden_markov": "Sequences", "factorial_mixture": "Components"}


def foreign_type(c_type, enums):
    """The ctypes name of a C type in an argument list or as a result; arrays, handles and callbacks are addresses."""
    text = " ".join(c_type.replace("*", " * ").split()).replace(" *", "*")
    if text == "void":
        return "None"
    if text in PLAIN:
        return PLAIN[text]
    if text in enums:
        return "c_int"
    if "*" in text or text in ("vtemper_interrupt", "vtemper_release", "vtemper_monitor", "vtemper_message", "vtemper_reduce",
                               "vtemper_exchange"):
        return "c_void_p"
    sys.exit("unknown type " + c_type)


def enumerations(header):
    lines, names = [], []
    for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\}\s*\w+;", header, re.S):
        names.append(name)
        lines.append("# " + name)
        for item in re.sub(r"/\*.*?\*/", "", body, flags=re.S).split(","):
            found = re.fullmatch(r"\s*VTEMPER_(\w+)\s*=\s*(-?\d+)\s*", item)
            if not found:
                sys.exit("this enumeration constant is not NAME = NUMBER: " + item)
            lines.append("%s = %s" % found.groups())
        lines.append("")
    return lines, names


def structures(header):
    lines = []
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\}\s*\w+;", header, re.S):
        title = "".join(part.capitalize() for part in name.split("_")[1:])
        fields = []
        lines += ["", "class %s(Structure):" % title, '    """The C struct %s."""' % name, ""]
        for item in re.sub(r"/\*.*?\*/", "", body, flags=re.S).split(";"):
            if not item.strip():
                continue
            found = re.fullmatch(r"\s*(const char\*|\w+)\s+(\w+)(?:\[(\d+)\])?\s*", item)
            if not found:
                sys.exit("this struct field is not understood: " + item)
            kind, field, number = found.groups()
            fields.append('("%s", %s)' % (field, PLAIN[kind] + (" * " + number if number else "")))
            hint = "Sequence[int]" if number else {"const char*": "bytes", "double": "float"}.get(kind, "int")
            lines.append("    %s: %s" % (field, hint))
        lines += ["", "    _fields_ = [" + (",\n                ").join(fields) + "]", ""]
    return lines


def functions(header, enums):
    lines = ["", "# Result and arguments of every function.", "FUNCTIONS: Dict[str, Tuple[Any, Dict[str, Any]]] = {"]
    for result, name, arguments in re.findall(r"VTEMPER_API ([\w \*]+?)\s*\bvtemper_(\w+)\(([^;]*)\);", header):
        parts = [] if arguments.strip() == "void" else arguments.split(",")
        named = [re.fullmatch(r"(.*?)(\w+)", part.strip(), re.S).groups() for part in parts]
        taken = ", ".join('"%s": %s' % (argument, foreign_type(c_type.strip(), enums)) for c_type, argument in named)
        lines.append('    "%s": (%s, {%s}),' % (name, foreign_type(result, enums), taken))
    return lines + ["}"]


def header_module(header, version):
    number = [int(re.search(r"#define VTEMPER_VERSION_%s (\d+)" % part, version).group(1))
              for part in ("MAJOR", "MINOR", "PATCH")]
    enums, names = enumerations(header)
    lines = [NOTICE % "Constants, structs and functions of the C interface.",
             "from ctypes import Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p",
             "from typing import Any, Dict, Sequence, Tuple", "",
             "# The version this file belongs to: major * 1000000 + minor * 1000 + patch.",
             "VERSION_NUMBER = %d" % (number[0] * 1000000 + number[1] * 1000 + number[2]), ""]
    return "\n".join(lines + enums + structures(header) + functions(header, names)) + "\n"


def class_name(kind):
    """GaussianMixture for gaussian_mixture; a short single word is an acronym."""
    return kind.upper() if "_" not in kind and len(kind) <= 4 else "".join(map(str.capitalize, kind.split("_")))


def kinds_module(library):
    for function in library.vtemper_model_kind_name, library.vtemper_model_kind_description:
        function.restype = ctypes.c_char_p
    count = library.vtemper_model_kind_count()
    kinds = [(library.vtemper_model_kind_name(i).decode(), library.vtemper_model_kind_description(i).decode()) for i in range(count)]
    roles = sorted({ROLES.get(kind, "Latent") for kind, _ in kinds})
    lines = [NOTICE % "The kinds of models that the library has, each an estimator."]
    lines += ["from .roles import " + ", ".join(roles)]
    lines += ["", "__all__ = [" + ", ".join('"%s"' % class_name(kind) for kind, _ in kinds) + "]"]
    for kind, description in kinds:
        lines += ["", "", 'class %s(%s, kind="%s"):' % (class_name(kind), ROLES.get(kind, "Latent"), kind),
                  '    """%s"""' % description]
    return "\n".join(lines) + "\n"


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    here = os.path.dirname(os.path.abspath(__file__))
    folder = arguments[2] if len(arguments) == 3 else os.path.join(here, "..", "src", "vtemper")
    with open(arguments[0]) as header, open(arguments[1]) as version:
        text = header_module(header.read(), version.read())
    library = ctypes.CDLL(os.environ.get("VTEMPER_LIBRARY", "libvtemper.so.0"))
    for name, content in ("_header.py", text), ("kinds.py", kinds_module(library)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)


main(sys.argv[1:])
