#!/bin/sh
# mypy finds no error in the package or in a program that uses its hints; and it finds one that is put there.
. "$(dirname "$0")/common.sh"
not_sanitized
needs mypy
cd "$package"
run_python -m mypy --cache-dir "$folder/cache"
cat >"$folder/program.py" <<'PROGRAM'
import vtemper

topics = vtemper.LDA(5, random_state=1, alpha=0.1).fit([["a", "b"]])
words: "list[list[str]]" = topics.top_words(3)
score: float = topics.score([["a"]])
PROGRAM
run_python -m mypy --strict --ignore-missing-imports --follow-imports silent --cache-dir "$folder/cache" "$folder/program.py"
echo 'vtemper.LDA(5).top_words(n="three")' >>"$folder/program.py"
if run_python -m mypy --strict --ignore-missing-imports --follow-imports silent --cache-dir "$folder/cache" "$folder/program.py"; then
  echo "a text was taken for a number of words"
  exit 1
fi
