"""Programs that are built against other headers than the library's. Older headers are cut from the present one: structs end
after their first k members, for every k, and functions that the program does not call are missing. In two of them the report
is that of an earlier header. The program fits a model and prints all numbers of the structs it knows; they must be those that
it prints if it is built against the present header, and nothing behind its structs may be written. A later header has structs
with more members, which are zero. A program that compares versions, as the header says, refuses an older library and one of
another series with a sentence.

Prints the numbers of headers and of compared lines.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("VTEMPER_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIBRARY = os.environ.get("VTEMPER_LIBRARY", "")
COMPILER = shlex.split(os.environ.get("CC", "cc"))
if not os.path.exists(LIBRARY) or not COMPILER or not shutil.which(COMPILER[0]):
    print("there is no C compiler, or VTEMPER_LIBRARY does not name the library")
    sys.exit(77)

with open(SOURCE + "/include/vtemper/vtemper.h") as file:
    PRESENT = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
STRUCT = re.compile(r"typedef struct (\w+) \{\n(\s*size_t struct_size;.*?)\} \1;", re.S)
# The last member of the report in earlier headers: in the first one, and in the first with all of today's names of functions.
EARLIER_REPORTS = ("duplicate_components", "settled")
LATER_MEMBERS = [("int64_t ", "later_number", None), ("double ", "later_real", None), ("const char* ", "later_text", None)]

PROGRAM = r"""
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vtemper/vtemper.h>

enum { ROWS = 40, WORDS = 12, TOPICS = 3, CANARY = 0x5a };

static void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  fprintf(stderr, "%s: %s\n", vtemper_status_name(status), vtemper_last_error());
  exit(1);
}

void print_size(const char* name, size_t size) { printf("size %s %zu\n", name, size); }
void print_int32_t(const char* name, int32_t value) { printf("%s %ld\n", name, (long)value); }
void print_int64_t(const char* name, int64_t value) { printf("%s %lld\n", name, (long long)value); }
void print_double(const char* name, double value) { printf("%s %.17g\n", name, value); }
void print_text(const char* name, const char* value) { printf("%s %s\n", name, value == NULL ? "NULL" : value); }

@PRINT@
static void check_behind(const unsigned char* behind, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (behind[i] == CANARY) continue;
    fprintf(stderr, "byte %zu behind a struct was written\n", i);
    exit(1);
  }
}

/* Makes a call that fills a struct, and prints the struct. */
#define CALL(kind, call)                             \
  do {                                               \
    guarded_##kind out;                              \
    memset(&out, CANARY, sizeof out);                \
    out.known.struct_size = sizeof out.known;        \
    check(call);                                     \
    check_behind(out.behind, sizeof out.behind);     \
    print_##kind(#kind, &out.known);                 \
    print_size(#kind, out.known.struct_size);        \
  } while (0)


/* The library's own struct: a program of a later header reads what struct_size covers. */
static int watch(const vtemper_report* report, void* user) {
  ++*(int*)user;
  print_report("monitor", report);
  return 0;
}

static void require_library(void) {
  const int32_t ours = VTEMPER_VERSION_NUMBER, theirs = vtemper_version_number();
  const int32_t series = ours < 1000000 ? 1000 : 1000000;
  if (theirs >= ours && theirs / series == ours / series) return;
  fprintf(stderr, "this program was built for version %d.%d.%d of the library vtemper, but the loader found version %s\n",
          VTEMPER_VERSION_MAJOR, VTEMPER_VERSION_MINOR, VTEMPER_VERSION_PATCH, vtemper_version());
  exit(3);
}

int main(void) {
  require_library();
  int64_t offsets[ROWS + 1] = {0};
  int32_t words[3 * ROWS];
  double counts[3 * ROWS];
  for (int i = 0; i < 3 * ROWS; ++i) {
    words[i] = i / 3 % TOPICS * 4 + i % 3;
    counts[i] = 1 + i % 5;
    offsets[i / 3 + 1] = i + 1;
  }
  vtemper_data* data = NULL;
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, ROWS, WORDS, offsets, VTEMPER_INT64, words, VTEMPER_INT32, counts,
                                 VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  vtemper_options *of_model = NULL, *of_fit = NULL;
  check(vtemper_options_create(&of_model));
  check(vtemper_options_set_integer(of_model, "topics", TOPICS));
  check(vtemper_options_create(&of_fit));
  check(vtemper_options_set(of_fit, "method", "svi"));
  check(vtemper_options_set(of_fit, "batch_size", "10"));
  check(vtemper_options_set(of_fit, "max_iterations", "6"));
  check(vtemper_options_set(of_fit, "report_every", "1"));
  check(vtemper_options_set(of_fit, "elbo_every", "1"));
  check(vtemper_options_set(of_fit, "threads", "1"));
  vtemper_model* model = NULL;
  check(vtemper_model_create("lda", of_model, &model));
  vtemper_optimizer* optimizer = NULL;
  check(vtemper_optimizer_create(model, data, of_fit, &optimizer));
  int seen = 0;
  check(vtemper_optimizer_set_monitor(optimizer, watch, &seen));

  int32_t length = 0;
  check(vtemper_option_count("lda", &length));
  for (int32_t i = 0; i < length; ++i) CALL(option, vtemper_option_info("lda", i, &out.known));
  check(vtemper_model_parameter_count(model, &length));
  for (int32_t i = 0; i < length; ++i) CALL(quantity, vtemper_model_parameter_info(model, i, &out.known));
  CALL(report, vtemper_optimizer_step(optimizer, 2, &out.known));
  CALL(report, vtemper_optimizer_run(optimizer, &out.known));
  CALL(report, vtemper_optimizer_report(optimizer, &out.known));
  check(vtemper_optimizer_quantity_count(optimizer, &length));
  for (int32_t i = 0; i < length; ++i) CALL(quantity, vtemper_optimizer_quantity_info(optimizer, i, &out.known));
  double lambda[TOPICS * WORDS];
  check(vtemper_model_get(model, "lambda", lambda, TOPICS * WORDS));
  for (int i = 0; i < TOPICS * WORDS; ++i) print_double("lambda", lambda[i]);
  print_int32_t("monitored", seen);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(of_fit);
  vtemper_options_destroy(of_model);
  vtemper_data_destroy(data);
  return 0;
}
"""

NOT_COMPARED = ("seconds", "seconds_waiting")  # of the clock


def members_of(header):
    """The structs of a header that begin with struct_size: type, name and number of elements of their other members."""
    return {name: [re.match(r"\s*(.*?)(\w+)(?:\[(\d+)\])?$", line).groups() for line in body.split(";")[1:] if line.strip()]
            for name, body in STRUCT.findall(header)}


def with_members(header, members):
    def written(struct):
        lines = ["  %s%s%s;\n" % (type_, name, "[%s]" % places if places else "") for type_, name, places in members[struct.group(1)]]
        return "typedef struct %s {\n  size_t struct_size;\n%s} %s;" % (struct.group(1), "".join(lines), struct.group(1))
    return STRUCT.sub(written, header)


def without_other_functions(header):
    """Only the functions that the program calls are left."""
    def kept(declaration):
        return declaration.group(0) if declaration.group(1) + "(" in PROGRAM else ""
    return re.sub(r"^VTEMPER_API [^;]*?(vtemper_\w+)\([^;]*;\n", kept, header, flags=re.M)


def headers():
    """Names and texts of headers that are not the present one."""
    members = members_of(PRESENT)
    for count in range(1, max(len(list_) for list_ in members.values())):
        cut = {name: list_[:count] for name, list_ in members.items()}
        yield "the first %d members" % count, without_other_functions(with_members(PRESENT, cut))
    for last in EARLIER_REPORTS:
        length = [name for _, name, _ in members["vtemper_report"]].index(last) + 1
        cut = dict(members, vtemper_report=members["vtemper_report"][:length])
        yield "the report up to " + last, without_other_functions(with_members(PRESENT, cut))
    yield "a later header", with_members(PRESENT, {name: list_ + LATER_MEMBERS for name, list_ in members.items()})


def printing(header):
    """For each struct a guarded one, and a function that prints the members that struct_size covers."""
    text = ""
    for struct, members in members_of(header).items():
        short = struct.replace("vtemper_", "")
        text += "typedef struct guarded_%s {\n  %s known;\n  unsigned char behind[256];\n} guarded_%s;\n\n" % (short, struct, short)
        text += "static void print_%s(const char* call, const %s* from) {\n" % (short, struct)
        for type_, member, places in members:
            if member in NOT_COMPARED:
                continue
            text += "  if (offsetof(%s, %s) + sizeof from->%s <= from->struct_size) {\n" % (struct, member, member)
            for place in ["[%d]" % i for i in range(int(places))] if places else [""]:
                print_ = "text" if "char" in type_ else type_.strip()
                text += '    printf("%%s ", call);\n    print_%s("%s%s", from->%s%s);\n' % (print_, member, place, member, place)
            text += "  }\n"
        text += "}\n\n"
    return text


def version_header(version):
    lines = ["#define VTEMPER_VERSION_%s %d\n" % pair for pair in zip(("MAJOR", "MINOR", "PATCH"), version)]
    return "".join(lines) + "#define VTEMPER_VERSION_NUMBER %d\n" % (version[0] * 1000000 + version[1] * 1000 + version[2])


def run(folder, header, version):
    """Builds the program against a header of that version, and runs it."""
    os.makedirs(folder + "/vtemper", exist_ok=True)
    texts = {"vtemper/vtemper.h": header, "vtemper/version.h": version_header(version), "program.c": PROGRAM.replace("@PRINT@", printing(header))}
    for path, text in texts.items():
        with open(os.path.join(folder, path), "w") as file:
            file.write(text)
    program = folder + "/program"
    subprocess.run([*COMPILER, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", folder, folder + "/program.c", LIBRARY,
                    "-Wl,-rpath," + os.path.dirname(os.path.abspath(LIBRARY)), "-o", program], check=True)
    return subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)


def lines_of(name, done):
    if done.returncode != 0:
        sys.exit("FAILED: with %s the program ends with status %d: %s" % (name, done.returncode, done.stderr))
    return done.stdout.splitlines()


def expected_lines(whole, header):
    """The lines of the present header's program with what is in the structs of another header, too."""
    known = {struct.replace("vtemper_", ""): {member for _, member, _ in members} for struct, members in members_of(header).items()}
    known["monitor"] = known["report"]

    def is_known(line):
        call, member = line.split()[:2]
        return call not in known or member.split("[")[0] in known[call]
    return [line for line in whole if is_known(line)]


def served(folder, version):
    """Programs of all headers get what the one of the present header gets. Numbers of headers, of sizes of structs and of lines."""
    whole = [line for line in lines_of("the present header", run(folder, PRESENT, version)) if not line.startswith("size ")]
    sizes, compared, tried, later_lines = set(), 0, 0, 0
    for name, header in headers():
        lines = lines_of(name, run(folder, header, version))
        sizes.update(line for line in lines if line.startswith("size "))
        later = [line for line in lines if " later_" in line]
        got = [line for line in lines if line not in later and not line.startswith("size ")]
        expected = expected_lines(whole, header)
        for pair in zip(got + [None], expected + [None]):
            if pair[0] != pair[1]:
                sys.exit("FAILED: with %s: %r, not %r" % ((name,) + pair))
        for line in later:
            if line.split()[2] not in ("0", "NULL"):
                sys.exit("FAILED: a member that the library does not know is not zero: " + line)
        tried, compared, later_lines = tried + 1, compared + len(expected), later_lines + len(later)
    assert tried >= 20 and len(sizes) >= 20 and later_lines > 100, (tried, len(sizes), later_lines)
    assert any(line.startswith("monitor objective ") for line in whole) and sum(line.startswith("lambda ") for line in whole) == 36
    return tried, len(sizes), compared + later_lines


def refused(folder, version):
    """The versions of headers whose programs refuse the library."""
    major, minor, patch = version
    others = [(major, minor, patch + 1), (major, minor + 1, 0), (major + 1, 0, 0)] + [(0, minor - 1, 0)] * (major == 0 and minor > 0)
    for other in others:
        done = run(folder, PRESENT, other)
        sentence = "this program was built for version %d.%d.%d of the library vtemper, but the loader found version %d.%d.%d\n" % (other + version)
        if done.returncode != 3 or done.stdout or done.stderr != sentence:
            sys.exit("FAILED: a program of version %d.%d.%d: status %d, %r" % (other + (done.returncode, done.stderr)))
    return len(others)


def main():
    with open(SOURCE + "/CMakeLists.txt") as file:
        version = tuple(int(part) for part in re.search(r"project\(vtemper\s+VERSION (\d+)\.(\d+)\.(\d+)", file.read()).groups())
    with tempfile.TemporaryDirectory() as folder:
        tried, sizes, compared = served(folder, version)
        others = refused(folder, version)
    print("%d other headers with %d sizes of structs, %d lines compared; %d versions of headers refused" % (tried, sizes, compared, others))


if __name__ == "__main__":
    main()
