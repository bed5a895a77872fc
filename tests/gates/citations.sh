#!/bin/sh
# Texts that sources cite are in the repository, and so are their sections: "models/lda/README.md section 2" needs a
# heading "## 2. ..." in that file. A path is relative to the citing file's folder, to src/, or to the repository.
set -eu

python=${PYTHON:-python3}
command -v "$python" >/dev/null || exit 77
"$python" - "$VTEMPER_SOURCE" <<'PYTHON'
import pathlib, re, sys, tempfile

NAMES = {".cpp", ".h", ".inc", ".c", ".in", ".txt", ".cmake", ".sh", ".py", ".R", ".jl", ".md", ".1", ".map", ".Rmd"}
CITATION = re.compile(r"(?<![\w/.$])((?:\.\./)*[A-Za-z_.][\w.-]*(?:/[\w.-]+)*\.md)\b(?=(?P<rest>[^\n]{0,40}))")
SECTIONS = re.compile(r"^[`]?,?\s+sections?\s+(\d+)(?:(?:,| and|, and| to) (\d+))?")


def broken_citations(root):
    found = []
    files = [root / "CMakeLists.txt", root / "README.md", root / "CHANGELOG.md"]
    for folder in ("src", "tests", "include", "bindings", "pkgconfig", ".github"):
        files += sorted((root / folder).rglob("*"))
    for file in files:
        if not file.is_file() or file.suffix not in NAMES or file.name == "citations.sh" or "__pycache__" in file.parts:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        # A citation may continue on the comment's next line.
        flat = re.sub(r"\n\s*(?:///?|#|\*)?[ \t]*", " ", text) if file.suffix != ".md" else text
        for match in CITATION.finditer(flat):
            name = match.group(1)
            places = [file.parent / name, root / "src" / name, root / name]
            target = next((place for place in places if place.is_file()), None)
            shown = file.relative_to(root)
            if target is None:
                found.append(f"{shown} cites {name}, which is neither beside it nor below src nor in the repository")
                continue
            sections = SECTIONS.match(match.group("rest"))
            seen = target.resolve().relative_to(root.resolve())
            for number in filter(None, sections.groups() if sections else ()):
                if not re.search(rf"^##+ {number}\. ", target.read_text(encoding="utf-8"), re.M):
                    found.append(f"{shown} cites section {number} of {name}, but {seen} has no such section")
    return found


def check(text, expected):
    """The gate itself: what it says of a small tree."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "src").mkdir()
        (root / "src" / "README.md").write_text("# Title\n\n## 1. First\n")
        (root / "src" / "a.cpp").write_text(text)
        found = len(broken_citations(root))
        if found != expected:
            sys.exit(f"the gate finds {found} broken citations instead of {expected} in: {text}")


check("// see README.md section 1\n", 0)
check("// see README.md section 2\n", 1)
check("// see README.md\n/// and more (README.md\n/// section 1)\n", 0)
check("// see README.md\n/// section 2\n", 1)
check("// (lda.md section 1)\n", 1)
check("// README.md section 1 and lda.md\n", 1)

broken = broken_citations(pathlib.Path(sys.argv[1]))
print("\n".join(broken))
sys.exit(1 if broken else 0)
PYTHON
