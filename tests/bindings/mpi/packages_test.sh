#!/bin/sh
# R, Julia and Python under mpirun, with MPI initialised by libvtemper-mpi or by a package of the language: the model
# of vtemper-mpi, bit for bit; a script that stops with an error ends all ranks.
. "$(dirname "$0")/common.sh"
ldac 400 1 >train.ldac
words 40 >words.txt
run 0 convert train.ldac train.corpus --vocabulary words.txt --quiet
works 2 "$MPI_COMMAND" fit train.corpus -o wanted.model --topics 4 --seed 3 --batch-size 50 --max-passes 3 --threads 1 --quiet
run 0 get wanted.model lambda
cp out wanted
ldac 100 2 >test.ldac
run 0 convert test.ldac test.corpus --vocabulary words.txt --quiet
run 0 fit train.corpus -o alone.model --topics 4 --seed 3 --batch-size 50 --max-passes 3 --threads 1 --precision double \
  --local-sparsity 0 --moves off --quiet
alone=$(score alone.model test.corpus)
parts=0

# fits WHAT COMMAND...: two ranks run a script, which writes the model to fitted.model.
fits() {
  what=$1
  shift
  parts=$((parts + 1))
  rm -f fitted.model
  works 2 "$@"
  run 0 get fitted.model lambda
  same "the model of $what" wanted out
}

# divides WHAT COMMAND...: two ranks run a script with topics that are divided over them (exchange=sharded). It scores
# test.corpus, spread; all ranks save divided.model, which rank 0 writes, loads and scores. Rank 0 prints both scores.
divides() {
  what=$1
  shift
  rm -f divided.model
  works 2 "$@"
  close "the score of divided topics by $what" "$(sed -n 's/^divided //p' out)" "$alone" 1e-6
  close "the score of the file of divided topics by $what" "$(sed -n 's/^loaded //p' out)" "$alone" 1e-6
  close "the score by vtemper of divided topics of $what" "$(score divided.model test.corpus)" "$alone" 1e-6
}

# fails WHAT COMMAND...: two ranks run a script that stops on one of them; the other must not wait for it.
fails() {
  what=$1
  shift
  begin=$(date +%s)
  ranks 2 "$@"
  [ "$got" -ne 0 ] && [ "$got" -ne 124 ] && [ $(($(date +%s) - begin)) -lt 60 ]
  verdict $? "$what that stops ends with $got after $(($(date +%s) - begin)) seconds: $(cat err)"
}

python=
for program in /usr/bin/python3 python3; do
  [ -n "$python" ] || { "$program" -c 'import numpy, scipy.sparse' 2>/dev/null && python=$program; }
done
if [ -n "$python" ]; then
  PYTHONPATH=$VTEMPER_SOURCE/bindings/python/src PYTHONDONTWRITEBYTECODE=1
  export PYTHONPATH PYTHONDONTWRITEBYTECODE
  cat >fit.py <<'END'
import sys, vtemper
if "mpi4py" in sys.argv:
    from mpi4py import MPI
    group = vtemper.Group(MPI.COMM_WORLD)
else:
    group = vtemper.Group()
corpus = group.read("train.corpus")
if "rows" in sys.argv:
    corpus = group.spread(corpus.select(range(len(corpus))))
if "stop" in sys.argv and group.rank == 1:
    raise ValueError("stop")
model = vtemper.LDA(4, random_state=3, batch_size=50, max_passes=3, n_jobs=1).fit(corpus)
if group.rank == 0:
    model.save("fitted.model")
END
  cat >divided.py <<'END'
import vtemper
group = vtemper.Group()
model = vtemper.LDA(4, random_state=3, batch_size=50, max_passes=3, n_jobs=1, precision="double", local_sparsity=0,
                    moves="off", exchange="sharded").fit(group.read("train.corpus"))
score = model.score(group.read("test.corpus"))
model.save("divided.model")
if group.rank == 0:
    print("divided", score)
    print("loaded", vtemper.load("divided.model").score(vtemper.Data("test.corpus")))
END
  divides "Python" "$python" divided.py
  fits "Python" "$python" fit.py
  fits "Python, rows of each rank" "$python" fit.py rows
  fails "Python" "$python" fit.py stop
  if "$python" -c 'from mpi4py import MPI' 2>/dev/null && [ $flavour = openmpi ]; then
    fits "Python with mpi4py" "$python" fit.py mpi4py
  else
    echo "mpi4py is not installed (Debian: python3-mpi4py)"
  fi
else
  echo "there is no Python with NumPy and SciPy"
fi

if command -v Rscript >/dev/null; then
  mkdir library
  cp -r "$VTEMPER_SOURCE/bindings/r/vtemper" package
  cp "$VTEMPER_BUILD/pkgconfig/vtemper-uninstalled.pc" vtemper.pc
  PKG_CONFIG_PATH=$folder R_LIBS=$folder/library R CMD INSTALL --no-docs --no-test-load package >log 2>&1
  verdict $? "the R package cannot be installed: $(tail -3 log)"
  R_LIBS=$folder/library
  export R_LIBS
  cat >fit.R <<'END'
library(vtemper)
words <- commandArgs(TRUE)
if ("Rmpi" %in% words) {
  library(Rmpi)
  group <- vt_group(mpi.comm.c2f(0))
} else {
  group <- vt_group()
}
corpus <- vt_spread("train.corpus", group)
if ("rows" %in% words) corpus <- vt_spread(corpus[seq_len(nrow(corpus))], group)
if ("stop" %in% words && group$rank == 1) stop("stop")
fit <- vt_lda(corpus, k = 4, seed = 3, batch_size = 50, max_passes = 3, threads = 1, progress = FALSE)
if (group$rank == 0) vt_save(fit, "fitted.model")
if ("Rmpi" %in% words) mpi.quit()
END
  cat >divided.R <<'END'
library(vtemper)
group <- vt_group()
fit <- vt_lda(vt_spread("train.corpus", group), k = 4, seed = 3, batch_size = 50, max_passes = 3, threads = 1, precision = "double",
              local_sparsity = 0, moves = "off", exchange = "sharded", progress = FALSE)
score <- vt_evaluate(fit, vt_spread("test.corpus", group))
vt_save(fit, "divided.model")
if (group$rank == 0) {
  cat("divided", format(score, digits = 15), "\n")
  cat("loaded", format(vt_evaluate(vt_load("divided.model"), vt_data("test.corpus")), digits = 15), "\n")
}
END
  divides "R" Rscript --vanilla divided.R
  fits "R" Rscript --vanilla fit.R
  fits "R, rows of each rank" Rscript --vanilla fit.R rows
  fails "R" Rscript --vanilla fit.R stop
  if Rscript --vanilla -e 'quit(status = !requireNamespace("Rmpi", quietly = TRUE))' >/dev/null 2>&1; then
    fits "R with Rmpi" Rscript --vanilla fit.R Rmpi
  else
    echo "Rmpi is not installed (Debian: r-cran-rmpi)"
  fi
else
  echo "there is no R"
fi

julia=${JULIA:-$VTEMPER_SOURCE/build/julia/bin/julia}
[ -x "$julia" ] || julia=$(command -v julia || true)
if [ -n "$julia" ] && "$julia" --startup-file=no -e 'f(x) = error("x"); try f(1) catch end' >/dev/null 2>&1; then
  JULIA_DEPOT_PATH=$folder/depot
  export JULIA_DEPOT_PATH VTEMPER_LIBRARY
  cat >fit.jl <<'END'
using VTemper, VTemper.Verbs
group = VTemper.Group()
corpus = spread("train.corpus", group)
"rows" in ARGS && (corpus = spread(corpus[1:length(corpus)], group))
"stop" in ARGS && group.rank == 1 && error("stop")
model = fit(LDA, corpus; k = 4, seed = 3, batch_size = 50, max_passes = 3, threads = 1)
group.rank == 0 && save(model, "fitted.model")
END
  package="--startup-file=no -O0 --project=$VTEMPER_SOURCE/bindings/julia/VTemper"
  # shellcheck disable=SC2086
  "$julia" $package -e 'using VTemper' # compiled once, not by two ranks at a time
  cat >divided.jl <<'END'
using VTemper, VTemper.Verbs
group = VTemper.Group()
model = fit(LDA, spread("train.corpus", group); k = 4, seed = 3, batch_size = 50, max_passes = 3, threads = 1, precision = "double",
            local_sparsity = 0, moves = "off", exchange = "sharded")
score = evaluate(model, spread("test.corpus", group))
save(model, "divided.model")
if group.rank == 0
    println("divided ", score)
    println("loaded ", evaluate(load("divided.model"), VTemper.Data("test.corpus")))
end
END
  # shellcheck disable=SC2086
  divides "Julia" "$julia" $package divided.jl
  # shellcheck disable=SC2086
  fits "Julia" "$julia" $package fit.jl
  # shellcheck disable=SC2086
  fits "Julia, rows of each rank" "$julia" $package fit.jl rows
  # shellcheck disable=SC2086
  fails "Julia" "$julia" $package fit.jl stop
else
  echo "there is no working Julia"
fi
[ $parts -gt 0 ] || { echo "neither R nor Julia nor Python is there"; exit 77; }
finish
