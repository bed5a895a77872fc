#!/bin/sh
# clang-tidy finds nothing in src (the checks are in .clang-tidy). The files of a folder are checked as one program,
# because most of the time is spent on standard headers that all of them include; if that program does not compile or
# has a finding, parts of it are checked, and finally each file alone. A file that passed is not checked again until
# it, one of our headers that it includes, its compile command, the checks or clang-tidy change: files that passed are
# recorded in $XDG_CACHE_HOME/vtemper/clang-tidy (VTEMPER_TIDY_CACHE names another folder, "" none).
set -eu
command -v clang-tidy >/dev/null || { echo "clang-tidy is missing"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
[ -f "$VTEMPER_BUILD/compile_commands.json" ] || { echo "the build has no compile_commands.json"; exit 77; }
export VTEMPER_TIDY_CACHE="${VTEMPER_TIDY_CACHE-${XDG_CACHE_HOME:-$HOME/.cache}/vtemper/clang-tidy}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/tidy.py" <<'PYTHON'
import concurrent.futures, hashlib, json, os, pathlib, re, shlex, shutil, subprocess, sys, tempfile

source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
cache = os.environ["VTEMPER_TIDY_CACHE"]
# Kernels are one source compiled for each instruction set: only the scalar one is checked.
other_sets = {"sse2.cpp", "avx2.cpp", "avx512.cpp", "neon.cpp"}
files = [file for file in sorted((source / "src").rglob("*.cpp"))
         if not (file.parent.name == "kernels" and file.name in other_sets)]
commands = {entry["file"]: entry for entry in json.loads((build / "compile_commands.json").read_text())}
version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
checks = (source / ".clang-tidy").read_bytes()


def recorded_headers():
    """What the build noted of the headers of every object; nothing where it was not made by ninja."""
    if not shutil.which("ninja") or not (build / ".ninja_deps").exists():
        return {}
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True)
    headers, current = {}, []
    for line in listed.stdout.splitlines():
        if line.startswith(" "):
            current.append(line.strip())
        elif ": #deps" in line:
            current = headers[line.split(": #deps")[0]] = []
    return headers


recorded = recorded_headers()


def words_of(entry):
    """The compile command without a launcher, and the place of -o in it."""
    words = shlex.split(entry["command"])
    words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
    return words, words.index("-o")


def inputs_of(entry):
    """The file and our headers that it includes: as the build noted them where nothing is newer than the object, or by asking
    the compiler, which takes a quarter of a second. None where that cannot be told."""
    folder = pathlib.Path(entry["directory"])
    words, output = words_of(entry)
    noted, made = recorded.get(words[output + 1]), folder / words[output + 1]
    if noted and made.exists():
        paths = [(folder / name).resolve() for name in noted]
        if all(path.exists() and path.stat().st_mtime <= made.stat().st_mtime for path in paths):
            return sorted({path for path in paths if source.resolve() in path.parents})
    asked = words[:output] + words[output + 2:] + ["-MM", "-MT", "x"]
    listed = subprocess.run([word for word in asked if word != "-c"], cwd=folder, capture_output=True, text=True)
    if listed.returncode != 0:
        return None
    return sorted({(folder / name).resolve() for name in listed.stdout.replace("\\\n", " ").split()[1:]})


def note_of(file):
    """Where it is noted that the file passed; None where that cannot be told."""
    if not cache or inputs[file] is None:
        return None
    entry = commands[str(file)]
    seen = hashlib.sha256(version + checks + entry["command"].encode())
    for path in inputs[file]:
        seen.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return pathlib.Path(cache) / seen.hexdigest()


def tidy(*words):
    return subprocess.run(["clang-tidy", "--quiet", "--extra-arg=-Wno-error", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)


def passes_alone(file):
    done = tidy("-p", str(build), str(file))
    if done.returncode != 0 or done.stdout.strip():
        print(file, done.stdout, sep="\n", flush=True)
    return done.returncode == 0


def flags_of(file):
    entry = commands[str(file)]
    words, output = words_of(entry)
    return tuple(word for word in words[1:output] + words[output + 2:] if word not in ("-c", str(file)))


def passes_together(files):
    """As one program (src/CMakeLists.txt), in which files may use the same headers (includes_twice) and names."""
    with tempfile.TemporaryDirectory() as place:
        program = pathlib.Path(place) / "program.cpp"
        instances = sorted(files[0].parent.glob("*instances.inc"))
        program.write_text("\n".join(["#define VTEMPER_TOGETHER", *(file.read_text() for file in files),
                                      "#undef VTEMPER_TOGETHER", *(file.read_text() for file in instances)]) + "\n")
        done = tidy(f"--config-file={source / '.clang-tidy'}",
                    "--checks=-readability-duplicate-include,-clang-diagnostic-shadow", str(program), "--", *flags_of(files[0]))
    return done.returncode == 0


def includes_twice(file):
    included = re.findall(r"^#include .*", file.read_text(), re.M)
    return len(included) != len(set(included))


def check(files):
    """Whether all pass; those that do are noted."""
    if len(files) == 1:
        if not passes_alone(files[0]):
            return False
    elif any(includes_twice(file) for file in files) or not passes_together(files):
        half = len(files) // 2
        return check(files[:half]) & check(files[half:])
    for file in files:
        if notes[file] is not None:
            notes[file].parent.mkdir(parents=True, exist_ok=True)
            notes[file].touch()
    return True


def programs_of(files):
    """The files of a folder that have the same flags."""
    alike = {}
    for file in files:
        alike.setdefault((file.parent, flags_of(file)) if str(file) in commands else file, []).append(file)
    return alike.values()


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    entries = [commands.get(str(file)) for file in files]
    inputs = dict(zip(files, pool.map(lambda entry: entry and inputs_of(entry), entries)))
    notes = {file: note_of(file) for file in files}
    new = [file for file in files if notes[file] is None or not notes[file].exists()]
    sys.exit(0 if all(list(pool.map(check, programs_of(new)))) else 1)
PYTHON

# Proof that this gate can fail, and that what has passed is looked at again when a header of it changes.
tree=$work/tree
mkdir -p "$tree/src/support"
cp "$VTEMPER_SOURCE/.clang-tidy" "$tree/"
printf '#include "a.h"\nint f(int x) { return g(x); }\n' >"$tree/src/support/a.cpp"
printf '#include "a.h"\nint h(int x) { return g(x); }\n' >"$tree/src/support/b.cpp"
for name in a b; do
  printf '{"directory": "%s", "file": "%s/src/support/%s.cpp", "command": "c++ -std=c++17 -I%s/src/support -o %s.o -c %s/src/support/%s.cpp"}\n' \
    "$tree" "$tree" $name "$tree" $name "$tree" $name
done | sed '1s/^/[/; 1s/$/,/; $s/$/]/' >"$tree/compile_commands.json"
tidy_tree() { VTEMPER_TIDY_CACHE=$work/cache python3 "$work/tidy.py" "$tree" "$tree" >/dev/null; }
printf 'inline int g(int x) { return x; }\n' >"$tree/src/support/a.h"
tidy_tree || { echo "a good program was refused"; exit 1; }
[ "$(find "$work/cache" -type f | wc -l)" -eq 2 ] || { echo "files that passed are not noted"; exit 1; }
printf 'inline int g(int x) {\n  if (x = 1) return 0;\n  return sizeof(sizeof(x));\n}\n' >"$tree/src/support/a.h"
for round in 1 2; do
  if tidy_tree; then
    echo "a doubtful program passed: the gate is blind (round $round)"
    exit 1
  fi
done

python3 "$work/tidy.py" "$VTEMPER_SOURCE" "$VTEMPER_BUILD"
