#!/bin/sh
# --transpose: rows and columns are exchanged, with their names, by convert and by the commands that read data.
. "$(dirname "$0")/common.sh"

# A table of genes x cells, with names of both, and the same as cells x genes.
printf ',cell1,cell2,cell3\ngeneA,1,0.5,\ngeneB,0,3,1\n' >genes.csv
printf ',geneA,geneB\ncell1,1,0\ncell2,0.5,3\ncell3,,1\n' >cells.csv
run 0 convert cells.csv cells.corpus --quiet
gzip -c genes.csv >genes.csv.gz
for table in genes.csv genes.csv.gz; do
  run 0 convert $table genes.corpus --transpose
  says err "^genes.corpus: 3 rows, 2 columns$"
  same "$table and its transpose" cells.corpus genes.corpus
done
run 0 convert cells.corpus back.corpus --transpose --quiet
run 0 convert genes.csv genes.corpus --quiet
same "the transpose of a mapped file" genes.corpus back.corpus

# Counts, of which the names come from a file.
printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 4\n1 1 1\n1 3 2\n2 2 3\n2 3 1\n' >genes.mtx
printf '%%%%MatrixMarket matrix coordinate integer general\n3 2 4\n1 1 1\n2 2 3\n3 1 2\n3 2 1\n' >cells.mtx
printf 'geneA\ngeneB\n' >genes.txt
printf 'one\ntwo\nthree\nfour\n' >four.txt
run 0 convert cells.mtx cells.corpus --vocabulary genes.txt --quiet
run 0 convert genes.mtx genes.corpus --vocabulary genes.txt --transpose
says err "^genes.corpus: 3 documents, 2 words, 7 tokens$"
for corpus in cells genes; do run 0 fit $corpus.corpus -o $corpus.model --topics 2 --max-passes 2 --quiet; done
same "models of a matrix and of its transpose" cells.model genes.model
run 0 convert genes.mtx four.corpus --vocabulary four.txt --transpose
says err "^four.corpus: 3 documents, 4 words, 7 tokens$"

# The commands that read data turn them in the same way.
genes="genes.mtx --transpose"
run 0 fit $genes --vocabulary genes.txt -o turned.model --topics 2 --max-passes 2 --test genes.mtx --quiet
run 0 fit cells.corpus -o straight.model --topics 2 --max-passes 2 --test cells.corpus --quiet
same "models of a file and of its transpose" straight.model turned.model
run 0 fit $genes -o turned.model --continue straight.model --max-passes 1 --seed 1 --quiet
run 0 fit cells.mtx -o continued.model --continue straight.model --max-passes 1 --seed 1 --quiet
same "models continued with a file and with its transpose" continued.model turned.model
for command in "infer straight.model" "evaluate straight.model" "evaluate straight.model --measure elbo" \
  "documents straight.model" "similar straight.model --to 0" "correlation straight.model"; do
  run 0 $command cells.mtx
  mv out straight
  run 0 $command $genes
  same "$command" straight out
done
run 0 export straight.model cells.mtx -o straight.json
run 0 export straight.model $genes -o turned.json
same "export" straight.json turned.json
run 0 split cells.mtx one two --share 0.4
run 0 split $genes turned_one turned_two --share 0.4
same "split" one turned_one
run 0 sweep $genes --topics 2 --max-passes 2 --test genes.mtx --quiet
run 0 report straight.model -o page.html --data $genes
# Dense rows, of which the names of the columns are the first field of each row.
run 0 convert cells.csv dense.corpus --quiet
run 0 fit dense.corpus -o straight.model --model gaussian_mixture --components 1 --max-passes 2 --quiet
run 0 fit genes.csv --transpose -o turned.model --model gaussian_mixture --components 1 --max-passes 2 --quiet
same "mixtures of a table and of its transpose" straight.model turned.model
run 0 infer turned.model genes.csv --transpose --quantity completed
says out "^2,cell3,"

# A model does not keep the option: where names or sizes tell that a file needs it, or must not have it, a message does.
of_rows=": the columns of the model are among its rows, not among its columns: give --transpose$"
refused 1 "genes.csv$of_rows" infer turned.model genes.csv
refused 1 "cells.csv: the columns of the model are among its columns, not among its rows: leave --transpose out$" \
  infer turned.model cells.csv --transpose
printf ',cell1,cell2,cell3\ngeneA,1,2,0\ngeneB,0,3,1\n' >named.csv
run 0 fit named.csv --transpose -o named.model --topics 2 --max-passes 2 --quiet
for command in "infer named.model" "evaluate named.model" "documents named.model" "report named.model -o page.html --data" \
  "fit -o x.corpus --continue named.model"; do
  refused 1 "named.csv$of_rows" $command named.csv --quiet
done
first="convert it by vtemper convert --transpose, since the option holds for both files$"
refused 1 "among its rows, not among its columns: $first" fit cells.mtx --vocabulary genes.txt -o x.corpus --topics 2 \
  --max-passes 2 --test named.csv --quiet
refused 1 "genes.mtx has 2 rows and 3 columns, the model 2 columns: give --transpose$" infer named.model genes.mtx
run 0 fit genes.mtx --transpose -o nameless.model --topics 2 --max-passes 2 --quiet
refused 1 "genes.mtx has 2 rows and 3 columns, the model 2 columns: give --transpose$" evaluate nameless.model genes.mtx
refused 1 "cells.mtx has 3 rows and 2 columns, the model 2 columns: $first" \
  sweep genes.mtx --topics 2 --max-passes 2 --test cells.mtx --transpose
printf '1,2\n3,4\n5,6\n' >points.csv
run 0 fit points.csv --transpose -o points.model --model gaussian_mixture --components 1 --max-passes 2 --quiet
refused 1 "points.csv has 3 rows and 2 columns, the model 3 columns: give --transpose$" infer points.model points.csv
# As many rows as the model has columns may be a chance where the columns can be filled up, or the model can grow.
run 0 infer nameless.model genes.mtx --transpose
[ ! -s err ]
verdict $? "what needs no advice gets some: $(cat err)"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 1 1\n1 1 2\n' >one.mtx
run 0 infer nameless.model one.mtx
says err "^one.mtx has 2 rows and 1 column, the model 2 columns: if these are its rows, give --transpose$"
run 0 infer nameless.model one.mtx --quiet
[ ! -s err ]
verdict $? "what needs no advice gets some: $(cat err)"
run 0 fit genes.mtx --continue nameless.model -o wide.model --max-passes 1
says err "^genes.mtx has 2 rows and 3 columns, the model 2 columns: if these are its rows, give --transpose$"

# What cannot be exchanged.
printf ',cell\ngene,1\ngene,2\n' >twice.csv
refused 1 'rows 0 and 1 are both named "gene"' convert twice.csv x.corpus --transpose
printf 'cell1,cell2\n' >header.csv
refused 1 "header.csv has no rows" convert header.csv x.corpus --transpose
printf '0 1 2\n1 0\n' >sequences.txt
refused 1 "holds sequences" convert sequences.txt x.corpus --format sequences --transpose
refused 2 "transpose cannot be combined with --text" convert --text genes.txt x.corpus --transpose
refused 2 "transpose cannot be combined with --text" fit --text genes.txt -o x.corpus --transpose
refused 1 "holds sequences" fit sequences.txt --format sequences -o x.corpus --model hidden_markov --transpose
refused 2 "transpose needs DATA" evaluate straight.model --measure elbo --transpose
refused 2 "transpose needs --data" report straight.model -o x.corpus --transpose
refused 2 "leave --transpose out" similar straight.model --topic 0 --transpose
if command -v python3 >/dev/null && ! nm -D --undefined-only "$VTEMPER_LIBRARY" | grep -qE '__(asan|tsan|ubsan)'; then
  python3 -c 'import ctypes, os
library = ctypes.CDLL(os.environ["VTEMPER_LIBRARY"])
data = ctypes.c_void_p()
assert library.vtemper_data_read(b"genes.mtx", None, ctypes.byref(data)) == 0
assert library.vtemper_data_set_weights(data, (ctypes.c_double * 2)(1, 2), ctypes.c_int64(2)) == 0
assert library.vtemper_data_write(data, b"weighted.corpus") == 0'
  refused 1 "row 1 has a weight" convert weighted.corpus x.corpus --transpose
fi
[ ! -e x.corpus ]
verdict $? "a refused conversion left a file"
finish
