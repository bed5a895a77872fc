# Written by gen/generate.jl: change that, or the header, and run it again.

# The version this file belongs to: major * 1000000 + minor * 1000 + patch.
const VTEMPER_VERSION_NUMBER = 1000

# vtemper_status
const VTEMPER_OK = Cint(0)
const VTEMPER_ERROR_ARGUMENT = Cint(1)
const VTEMPER_ERROR_OPTION = Cint(2)
const VTEMPER_ERROR_DATA = Cint(3)
const VTEMPER_ERROR_STATE = Cint(4)
const VTEMPER_ERROR_MEMORY = Cint(5)
const VTEMPER_ERROR_IO = Cint(6)
const VTEMPER_ERROR_FORMAT = Cint(7)
const VTEMPER_ERROR_NUMERIC = Cint(8)
const VTEMPER_ERROR_UNSUPPORTED = Cint(9)
const VTEMPER_ERROR_INTERNAL = Cint(10)
const VTEMPER_ERROR_PEER = Cint(11)
const VTEMPER_CANCELLED = Cint(20)

# vtemper_data_form
const VTEMPER_COUNTS = Cint(1)
const VTEMPER_DENSE = Cint(2)
const VTEMPER_SEQUENCES = Cint(3)

# vtemper_option_type
const VTEMPER_OPTION_INTEGER = Cint(1)
const VTEMPER_OPTION_REAL = Cint(2)
const VTEMPER_OPTION_REALS = Cint(3)
const VTEMPER_OPTION_CHOICE = Cint(4)
const VTEMPER_OPTION_BOOLEAN = Cint(5)
const VTEMPER_OPTION_TEXT = Cint(6)

# vtemper_element
const VTEMPER_INT32 = Cint(1)
const VTEMPER_INT64 = Cint(2)
const VTEMPER_FLOAT = Cint(3)
const VTEMPER_DOUBLE = Cint(4)

# vtemper_layout
const VTEMPER_BY_ROWS = Cint(1)
const VTEMPER_BY_COLUMNS = Cint(2)

# vtemper_ownership
const VTEMPER_COPY = Cint(1)
const VTEMPER_BORROW = Cint(2)

# vtemper_reduction
const VTEMPER_SUM = Cint(1)
const VTEMPER_MIN = Cint(2)
const VTEMPER_MAX = Cint(3)

# vtemper_ending
const VTEMPER_ENDING_NONE = Cint(0)
const VTEMPER_ENDING_CONVERGED = Cint(1)
const VTEMPER_ENDING_LENGTH = Cint(2)
const VTEMPER_ENDING_TIME = Cint(3)
const VTEMPER_ENDING_DEADLINE = Cint(4)
const VTEMPER_ENDING_CANCELLED = Cint(5)

mutable struct vtemper_options end
mutable struct vtemper_data end
mutable struct vtemper_model end
mutable struct vtemper_optimizer end
mutable struct vtemper_group end

# Structs are read by the offsets of their fields, in bytes.
const vtemper_option_size = 64
const vtemper_option_fields = (
    struct_size = Field{Csize_t}(0),
    type = Field{Int32}(8),
    name = Field{Ptr{UInt8}}(16),
    default_text = Field{Ptr{UInt8}}(24),
    minimum = Field{Float64}(32),
    maximum = Field{Float64}(40),
    choices = Field{Ptr{UInt8}}(48),
    description = Field{Ptr{UInt8}}(56),
)

const vtemper_quantity_size = 64
const vtemper_quantity_fields = (
    struct_size = Field{Csize_t}(0),
    name = Field{Ptr{UInt8}}(8),
    rank = Field{Int32}(16),
    settable = Field{Int32}(20),
    shape = Field{NTuple{4,Int64}}(24),
    description = Field{Ptr{UInt8}}(56),
)

const vtemper_report_size = 184
const vtemper_report_fields = (
    struct_size = Field{Csize_t}(0),
    iteration = Field{Int64}(8),
    rows_seen = Field{Int64}(16),
    passes = Field{Float64}(24),
    elbo = Field{Float64}(32),
    objective = Field{Float64}(40),
    expected_log_likelihood = Field{Float64}(48),
    temperature = Field{Float64}(56),
    inverse_temperature = Field{Float64}(64),
    step_size = Field{Float64}(72),
    perturbation = Field{Float64}(80),
    proximity = Field{Float64}(88),
    change = Field{Float64}(96),
    seconds = Field{Float64}(104),
    converged = Field{Int32}(112),
    finished = Field{Int32}(116),
    objective_falls = Field{Int64}(120),
    empty_rows = Field{Int64}(128),
    unused_components = Field{Int64}(136),
    duplicate_components = Field{Int64}(144),
    ending = Field{Int32}(152),
    settled = Field{Int32}(156),
    ranks = Field{Int64}(160),
    seconds_waiting = Field{Float64}(168),
    bytes_sent = Field{Int64}(176),
)

# Functions, by their place in the table of addresses.
const entry_names = (
    :vtemper_version,
    :vtemper_version_number,
    :vtemper_build_info,
    :vtemper_last_error,
    :vtemper_status_name,
    :vtemper_set_interrupt,
    :vtemper_model_kind_count,
    :vtemper_model_kind_name,
    :vtemper_model_kind_description,
    :vtemper_model_kind_form,
    :vtemper_option_count,
    :vtemper_option_info,
    :vtemper_options_create,
    :vtemper_options_copy,
    :vtemper_options_destroy,
    :vtemper_options_set,
    :vtemper_options_set_text,
    :vtemper_options_set_integer,
    :vtemper_options_set_real,
    :vtemper_options_set_reals,
    :vtemper_options_get_text,
    :vtemper_data_from_counts,
    :vtemper_data_from_dense,
    :vtemper_data_from_sequences,
    :vtemper_data_read,
    :vtemper_data_read_part,
    :vtemper_data_write,
    :vtemper_data_convert,
    :vtemper_data_verify,
    :vtemper_data_rows,
    :vtemper_data_columns,
    :vtemper_data_entries,
    :vtemper_data_total,
    :vtemper_data_form_of,
    :vtemper_data_row,
    :vtemper_data_set_names,
    :vtemper_data_name,
    :vtemper_data_align,
    :vtemper_data_set_weights,
    :vtemper_data_weights,
    :vtemper_data_set_row_texts,
    :vtemper_data_row_text,
    :vtemper_data_row_field_count,
    :vtemper_data_row_field_name,
    :vtemper_data_set_note,
    :vtemper_data_note,
    :vtemper_data_note_count,
    :vtemper_data_note_name,
    :vtemper_data_select,
    :vtemper_data_slice,
    :vtemper_data_set_part,
    :vtemper_data_part,
    :vtemper_data_split,
    :vtemper_data_split_counts,
    :vtemper_data_destroy,
    :vtemper_group_create,
    :vtemper_group_share,
    :vtemper_group_destroy,
    :vtemper_group_rank,
    :vtemper_data_spread,
    :vtemper_model_create,
    :vtemper_model_copy,
    :vtemper_model_destroy,
    :vtemper_model_kind,
    :vtemper_model_option,
    :vtemper_model_used_options,
    :vtemper_model_initialize,
    :vtemper_model_columns,
    :vtemper_model_name,
    :vtemper_model_parameter_count,
    :vtemper_model_parameter_info,
    :vtemper_model_get,
    :vtemper_model_get_strided,
    :vtemper_model_set,
    :vtemper_model_infer_count,
    :vtemper_model_infer_info,
    :vtemper_model_infer,
    :vtemper_model_infer_strided,
    :vtemper_model_evaluate,
    :vtemper_model_evaluate_topics,
    :vtemper_model_rank_words,
    :vtemper_model_rank_all_words,
    :vtemper_model_topic_map,
    :vtemper_model_set_note,
    :vtemper_model_note,
    :vtemper_model_note_count,
    :vtemper_model_note_name,
    :vtemper_model_save,
    :vtemper_model_load,
    :vtemper_model_save_buffer,
    :vtemper_model_load_buffer,
    :vtemper_model_fit_memory,
    :vtemper_optimizer_create,
    :vtemper_optimizer_destroy,
    :vtemper_optimizer_model,
    :vtemper_optimizer_option,
    :vtemper_optimizer_used_options,
    :vtemper_optimizer_step,
    :vtemper_optimizer_run,
    :vtemper_optimizer_feed,
    :vtemper_optimizer_report,
    :vtemper_optimizer_set_monitor,
    :vtemper_optimizer_set_messages,
    :vtemper_optimizer_quantity_count,
    :vtemper_optimizer_quantity_info,
    :vtemper_optimizer_get,
    :vtemper_optimizer_get_strided,
    :vtemper_optimizer_set,
    :vtemper_optimizer_statistics_length,
    :vtemper_optimizer_local_step,
    :vtemper_optimizer_global_step,
    :vtemper_optimizer_local_step_at,
    :vtemper_optimizer_global_step_of,
    :vtemper_optimizer_statistics_count,
    :vtemper_optimizer_statistics_info,
    :vtemper_optimizer_save,
    :vtemper_optimizer_load,
    :vtemper_checkpoint_kind,
    :vtemper_optimizer_save_buffer,
    :vtemper_optimizer_load_buffer,
)
const entry_addresses = fill(C_NULL, 120)

"""
    vtemper_version()

"MAJOR.MINOR.PATCH" of the library in use. Static text.
"""
vtemper_version() =
    @foreign(entry(1), Ptr{UInt8}, ())

"""
    vtemper_version_number()

The version as major * 1000000 + minor * 1000 + patch; compare with VTEMPER_VERSION_NUMBER of the header.
"""
vtemper_version_number() =
    @foreign(entry(2), Int32, ())

"""
    vtemper_build_info()

One line: version, instruction set in use and those available, compiler. Static text.
"""
vtemper_build_info() =
    @foreign(entry(3), Ptr{UInt8}, ())

"""
    vtemper_last_error()

The calling thread's last failure as a message; "" before the first. Every status except VTEMPER_OK sets one, of
at most 2047 bytes. Valid until the thread's next failure.
"""
vtemper_last_error() =
    @foreign(entry(4), Ptr{UInt8}, ())

"""
    vtemper_status_name(status)

The name of a status, such as "VTEMPER_ERROR_DATA"; "unknown status" for any other value. Static text.
"""
vtemper_status_name(status) =
    @foreign(entry(5), Ptr{UInt8}, (Cint,), status)

"""
    vtemper_set_interrupt(interrupt, user)

Sets the function that long calls of the calling thread (steps, inference, scores, reading, a start drawn by
vtemper_optimizer_create) poll about every 0.05 seconds, so that a host can cancel them on Ctrl-C. A cancelled
call fails with CANCELLED and changes nothing, except that a run keeps the steps it has completed. Unlike other
callbacks it runs while worker threads are busy, though always on the calling thread; it must not call the library.
 `interrupt`: NULL removes it
"""
vtemper_set_interrupt(interrupt, user) =
    @foreign_now(entry(6), Cvoid, (Ptr{Cvoid}, Ptr{Cvoid},), interrupt, user)

"""
    vtemper_model_kind_count()

Number of model kinds. Kinds are counted from 0.
"""
vtemper_model_kind_count() =
    @foreign(entry(7), Int32, ())

"""
    vtemper_model_kind_name(index)

Name of model kind `index` from 0, such as "lda"; NULL when out of range. Static text.
"""
vtemper_model_kind_name(index) =
    @foreign(entry(8), Ptr{UInt8}, (Int32,), index)

"""
    vtemper_model_kind_description(index)

Description of model kind `index` in one sentence; NULL when out of range. Static text.
"""
vtemper_model_kind_description(index) =
    @foreign(entry(9), Ptr{UInt8}, (Int32,), index)

"""
    vtemper_model_kind_form(kind, form)

The form of data that models of a kind are fitted to; a host converts its own arrays to it. Errors: ARGUMENT.
"""
vtemper_model_kind_form(kind, form) =
    @foreign(entry(10), Cint, (Cstring, Ptr{Cint},), kind, form)

"""
    vtemper_option_count(subject, count)

Number of options of a subject: of a model kind, "optimizer" or "evaluate" (the options of vtemper_model_infer and
_evaluate). Errors: ARGUMENT for an unknown subject.
"""
vtemper_option_count(subject, count) =
    @foreign(entry(11), Cint, (Cstring, Ptr{Int32},), subject, count)

"""
    vtemper_option_info(subject, index, info)

Describes option `index` (from 0) of a subject; struct_size of info is set by the caller. Errors: ARGUMENT.
"""
vtemper_option_info(subject, index, info) =
    @foreign(entry(12), Cint, (Cstring, Int32, Ptr{UInt8},), subject, index, info)

"""
    vtemper_options_create(options)

An empty set. Names and values are checked where the set is used; a name that has no effect there is refused, and
 the nearest valid ones are suggested. Errors: MEMORY.
"""
vtemper_options_create(options) =
    @foreign(entry(13), Cint, (Ptr{Ptr{vtemper_options}},), options)

"""
    vtemper_options_copy(options, copy)

An independent copy of the set. Errors: ARGUMENT, MEMORY.
"""
vtemper_options_copy(options, copy) =
    @foreign(entry(14), Cint, (Ptr{vtemper_options}, Ptr{Ptr{vtemper_options}},), options, copy)

vtemper_options_destroy(options) =
    @foreign_now(entry(15), Cvoid, (Ptr{vtemper_options},), options)

"""
    vtemper_options_set(options, name, text)

Set one value, replacing an earlier one. `_set` parses text as any type. Reals must be finite; a list must not be
empty. Errors: ARGUMENT (NULL, empty name, not UTF-8, not finite), MEMORY.
"""
vtemper_options_set(options, name, text) =
    @foreign(entry(16), Cint, (Ptr{vtemper_options}, Cstring, Cstring,), options, name, text)

vtemper_options_set_text(options, name, text) =
    @foreign(entry(17), Cint, (Ptr{vtemper_options}, Cstring, Cstring,), options, name, text)

vtemper_options_set_integer(options, name, value) =
    @foreign(entry(18), Cint, (Ptr{vtemper_options}, Cstring, Int64,), options, name, value)

vtemper_options_set_real(options, name, value) =
    @foreign(entry(19), Cint, (Ptr{vtemper_options}, Cstring, Cdouble,), options, name, value)

vtemper_options_set_reals(options, name, values, length) =
    @foreign(entry(20), Cint, (Ptr{vtemper_options}, Cstring, Ptr{Cdouble}, Int64,), options, name, values, length)

"""
    vtemper_options_get_text(options, name, text)

The value of `name` as text, owned by the set and valid until the set changes.
 Errors: OPTION when the set has no such name.
"""
vtemper_options_get_text(options, name, text) =
    @foreign(entry(21), Cint, (Ptr{vtemper_options}, Cstring, Ptr{Ptr{UInt8}},), options, name, text)

"""
    vtemper_data_from_counts(layout, rows, columns, offsets, offsets_type, indices, indices_type, values, values_type, index_base, ownership, release, user, data)

Sparse counts, rows (documents) x columns (words), in either compressed layout.
 `offsets`: [rows + 1], or [columns + 1] by columns; INT32 or INT64; first is index_base, non-decreasing
 `indices`: [entries]; INT32 or INT64; columns of a row, or rows of a column; in [base, base + size), no
                 repeats within a row (or column); need not be sorted
 `values`: [entries]; any type; finite, >= 0; zeros are allowed and ignored. Fractional values are accepted
                 here and refused where whole tokens are needed
 `index_base`: 0 or 1, for offsets and indices alike
 `release`: hook for BORROW, or NULL; must be NULL for COPY. Not called if this call fails
 Indices and values may be NULL where the offsets say that there are no entries. By rows with BORROW nothing is
 copied. By columns the matrix is transposed once and the arrays are released, by the hook, before the call
 returns. A words x documents matrix by columns has the same arrays as its transpose, documents x words, by rows.
 Errors: ARGUMENT, DATA (names first offending row and column), MEMORY.
"""
vtemper_data_from_counts(layout, rows, columns, offsets, offsets_type, indices, indices_type, values, values_type, index_base, ownership, release, user, data) =
    @foreign(entry(22), Cint, (Cint, Int64, Int64, Ptr{Cvoid}, Cint, Ptr{Cvoid}, Cint, Ptr{Cvoid}, Cint, Int64, Cint, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{vtemper_data}},), layout, rows, columns, offsets, offsets_type, indices, indices_type, values, values_type, index_base, ownership, release, user, data)

"""
    vtemper_data_from_dense(rows, columns, values, values_type, row_stride, column_stride, ownership, release, user, data)

Dense reals, rows x columns; NaN = missing, infinities are refused.
 `values`: FLOAT or DOUBLE; element (i, j) at i * row_stride + j * column_stride (strides >= 0,
                       in elements)
 Errors: ARGUMENT, DATA (names first offending row and column), MEMORY.
"""
vtemper_data_from_dense(rows, columns, values, values_type, row_stride, column_stride, ownership, release, user, data) =
    @foreign(entry(23), Cint, (Int64, Int64, Ptr{Cvoid}, Cint, Int64, Int64, Cint, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{vtemper_data}},), rows, columns, values, values_type, row_stride, column_stride, ownership, release, user, data)

"""
    vtemper_data_from_sequences(rows, alphabet, offsets, offsets_type, symbols, symbols_type, index_base, ownership, release, user, data)

Sequences of symbols of an alphabet; the rows of the data are the sequences, its columns the symbols.
 `offsets`: [rows + 1]; INT32 or INT64; first is index_base, non-decreasing; a sequence may be empty
 `symbols`: [symbols of all sequences], one sequence after another; INT32 or INT64; in
                 [base, base + alphabet)
 `index_base`: 0 or 1, for offsets and symbols alike
 Ownership and release as for counts; with BORROW nothing is copied. Symbols may be NULL where there are none.
 Errors: ARGUMENT, DATA (names first offending row and position), MEMORY.
"""
vtemper_data_from_sequences(rows, alphabet, offsets, offsets_type, symbols, symbols_type, index_base, ownership, release, user, data) =
    @foreign(entry(24), Cint, (Int64, Int64, Ptr{Cvoid}, Cint, Ptr{Cvoid}, Cint, Int64, Cint, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{vtemper_data}},), rows, alphabet, offsets, offsets_type, symbols, symbols_type, index_base, ownership, release, user, data)

"""
    vtemper_data_read(path, format, data)

Reads a file.
 `format`: "auto" (or NULL), "docword" (UCI), "ldac", "svmlight" (columns count from 0 if column 0 occurs,
     else from 1; "svmlight0", "svmlight1" say it), "matrix_market" (arrays are dense), "mapped", "sequences"
     (a line each, symbols from 0), "labelled_sequences" (after an ignored word), "word_sequences" (words are the
     symbols and name them); "csv" (numbers separated by commas if the first line has any, else semicolons, else
     tabs; missing: empty, NA, NaN, blank lines of a single column; a first line of names is used; rows with a
     field more than names, or below an empty first name, begin with their own, which become row text "name");
     "npy" (NumPy) and "idx" (MNIST), rows along the first dimension. All but "mapped" may be gzip. "auto" knows
     all but sequences; .csv, .tsv, .ldac, .svm, .svmlight, .libsvm break ties
 A mapped file opens in constant time and memory: up to 64 MB are read at once, rows of longer files when
 needed, to stay in up to half of the memory that was free then. Rows are checked when used; others may replace,
 truncate or write the file (IO, FORMAT, or other numbers where rows had not been read).
 Errors: IO, FORMAT (damaged), DATA (names line, row and column), MEMORY, CANCELLED (vtemper_set_interrupt).
"""
vtemper_data_read(path, format, data) =
    @foreign(entry(25), Cint, (Cstring, Cstring, Ptr{Ptr{vtemper_data}},), path, format, data)

"""
    vtemper_data_read_part(path, format, part, parts, data)

Reads part `part` (from 0) of a file whose rows are lines ("ldac", "csv", "sequences", "labelled_sequences"), cut
at line ends into `parts` byte ranges of about equal size. A part has the columns that occur in it. Errors: as
vtemper_data_read; UNSUPPORTED (a compressed file, or another format), ARGUMENT.
"""
vtemper_data_read_part(path, format, part, parts, data) =
    @foreign(entry(26), Cint, (Cstring, Cstring, Int32, Int32, Ptr{Ptr{vtemper_data}},), path, format, part, parts, data)

"""
    vtemper_data_write(data, path)

Writes rows, names, weights, texts and notes as a mapped file (safetensors), completely or not at all.
Errors: ARGUMENT, FORMAT (the rows are mapped from a damaged file), IO, MEMORY, CANCELLED.
"""
vtemper_data_write(data, path) =
    @foreign(entry(27), Cint, (Ptr{vtemper_data}, Cstring,), data, path)

"""
    vtemper_data_convert(path, format, names, count, out_path)

Converts a file to the mapped file that vtemper_data_read and _write would give, but row by row: memory depends on
the longest row and the names, not on the number of rows; temporary files beside out_path take the space of the
result. "docword" and "matrix_market" with decreasing row numbers, its arrays and Fortran "npy" are read whole.
 `path`: in any format of vtemper_data_read; may be a pipe, except for "mapped"
 `names`: [count] column names that replace those in the file; NULL with count 0 keeps the file's. With more
                names than counts or sequences have columns, columns without entries are added
 `out_path`: a regular file, or none yet
 Errors: as vtemper_data_read and vtemper_data_write; ARGUMENT (too few; words name symbols), DATA (invalid).
"""
vtemper_data_convert(path, format, names, count, out_path) =
    @foreign(entry(28), Cint, (Cstring, Cstring, Ptr{Cstring}, Int64, Cstring,), path, format, names, count, out_path)

"""
    vtemper_data_verify(data)

Checks rows and checksum of a mapped file, as it was or is read. Errors: ARGUMENT, IO, FORMAT, CANCELLED.
"""
vtemper_data_verify(data) =
    @foreign(entry(29), Cint, (Ptr{vtemper_data},), data)

"""
    vtemper_data_rows(data, rows)

Sizes. Errors of these five: ARGUMENT.
"""
vtemper_data_rows(data, rows) =
    @foreign(entry(30), Cint, (Ptr{vtemper_data}, Ptr{Int64},), data, rows)

vtemper_data_columns(data, columns) =
    @foreign(entry(31), Cint, (Ptr{vtemper_data}, Ptr{Int64},), data, columns)

"""
    vtemper_data_entries(data, entries)

Stored entries (counts), rows * columns (dense), or symbols of all sequences.
"""
vtemper_data_entries(data, entries) =
    @foreign(entry(32), Cint, (Ptr{vtemper_data}, Ptr{Int64},), data, entries)

"""
    vtemper_data_total(data, total)

Sum of all counts, or of all values that are not missing, or the number of symbols. Takes one pass over the data.
Also DATA (a borrowed array was changed), FORMAT (a damaged mapped file), IO (a truncated one).
"""
vtemper_data_total(data, total) =
    @foreign(entry(33), Cint, (Ptr{vtemper_data}, Ptr{Cdouble},), data, total)

vtemper_data_form_of(data, form) =
    @foreign(entry(34), Cint, (Ptr{vtemper_data}, Ptr{Cint},), data, form)

"""
    vtemper_data_row(data, row, columns, values, capacity, length)

Reads one row (from 0) back: of counts, the positive ones with their columns, in stored order; of dense rows,
every column with its value (NaN = missing); of a sequence, its symbols in order, each with value 1.
 `columns`: [capacity] columns or symbols, from 0; or NULL
 `values`: [capacity] counts or values; or NULL
 `capacity`: elements of columns and values   `length`: receives the row's elements: 0 if it is empty
Borrowed and mapped data are checked as they are read. Errors: ARGUMENT (also a capacity that is too small; length
is set then, too), DATA (borrowed arrays were changed), FORMAT (a damaged mapped file), IO (a truncated one),
MEMORY; all of them leave columns and values untouched.
"""
vtemper_data_row(data, row, columns, values, capacity, length) =
    @foreign(entry(35), Cint, (Ptr{vtemper_data}, Int64, Ptr{Int64}, Ptr{Cdouble}, Int64, Ptr{Int64},), data, row, columns, values, capacity, length)

"""
    vtemper_data_set_names(data, names, count)

Names the columns (the vocabulary).
 `names`: [count] distinct, not empty, valid UTF-8; count = columns; copied
 Errors: ARGUMENT, DATA (a repeated or invalid name), STATE (an optimizer is running on the data), MEMORY.
"""
vtemper_data_set_names(data, names, count) =
    @foreign(entry(36), Cint, (Ptr{vtemper_data}, Ptr{Cstring}, Int64,), data, names, count)

"""
    vtemper_data_name(data, column, name)

Name of a column (from 0), owned by the handle until names are replaced; "" without names. Errors: ARGUMENT.
"""
vtemper_data_name(data, column, name) =
    @foreign(entry(37), Cint, (Ptr{vtemper_data}, Int64, Ptr{Ptr{UInt8}},), data, column, name)

"""
    vtemper_data_align(data, names, count, unknown_tokens, aligned)

New data whose columns are the reference vocabulary, in its order; tokens of words outside it are dropped and
 counted. Row order and weights are kept, empty rows stay.
 `names`: [count] reference names   `unknown_tokens`: receives the dropped tokens; may be NULL
 Symbols of sequences are not dropped: one outside the reference names is refused.
 Errors: ARGUMENT, STATE when the data have no names, UNSUPPORTED for dense data, DATA, IO, FORMAT, MEMORY.
"""
vtemper_data_align(data, names, count, unknown_tokens, aligned) =
    @foreign(entry(38), Cint, (Ptr{vtemper_data}, Ptr{Cstring}, Int64, Ptr{Cdouble}, Ptr{Ptr{vtemper_data}},), data, names, count, unknown_tokens, aligned)

"""
    vtemper_data_set_weights(data, weights, count)

Weights of the rows, 1 unless set: a row of weight 2 counts as two. [count = rows], finite, >= 0. Copied. Steps of
 an optimizer on the data follow them, also after convergence; priors and temperatures chosen before stay.
 Errors: ARGUMENT, DATA, STATE (an optimizer is running on the data), MEMORY; of reading them: also FORMAT, IO.
"""
vtemper_data_set_weights(data, weights, count) =
    @foreign(entry(39), Cint, (Ptr{vtemper_data}, Ptr{Cdouble}, Int64,), data, weights, count)

vtemper_data_weights(data, weights, count) =
    @foreign(entry(40), Cint, (Ptr{vtemper_data}, Ptr{Cdouble}, Int64,), data, weights, count)

"""
    vtemper_data_set_row_texts(data, field, texts, count)

Texts of the rows, such as the names or dates of documents: selections, splits, alignment and files keep them with
 their rows; a fit ignores them. Replaces earlier texts of that field.
 `field`: what they are: "name", "date" or another word of a-z, 0-9 and underscore
 `texts`: [count = rows] UTF-8, may be empty or repeated; copied. NULL with count 0 removes the field
 Errors: ARGUMENT, DATA (not UTF-8), STATE (an optimizer is running on the data), MEMORY.
"""
vtemper_data_set_row_texts(data, field, texts, count) =
    @foreign(entry(41), Cint, (Ptr{vtemper_data}, Cstring, Ptr{Cstring}, Int64,), data, field, texts, count)

"""
    vtemper_data_row_text(data, field, row, text)

The text of a row (from 0), owned by the handle until the field is replaced; "" where the data have no such field.
 Errors: ARGUMENT, FORMAT (a damaged mapped file).
"""
vtemper_data_row_text(data, field, row, text) =
    @foreign(entry(42), Cint, (Ptr{vtemper_data}, Cstring, Int64, Ptr{Ptr{UInt8}},), data, field, row, text)

"""
    vtemper_data_row_field_count(data, count)

The fields of row texts, counted from 0, owned by the handle until fields change. Errors of both: ARGUMENT.
"""
vtemper_data_row_field_count(data, count) =
    @foreign(entry(43), Cint, (Ptr{vtemper_data}, Ptr{Int32},), data, count)

vtemper_data_row_field_name(data, index, field) =
    @foreign(entry(44), Cint, (Ptr{vtemper_data}, Int32, Ptr{Ptr{UInt8}},), data, index, field)

"""
    vtemper_data_set_note(data, name, text)

Attaches a note: a text about the data as a whole, such as how it was made from raw text. Selections, splits,
 alignment and files keep it. It replaces an earlier note of that name; text NULL removes the note.
 Errors: ARGUMENT (an empty name, not UTF-8), STATE (an optimizer is running on the data), MEMORY.
"""
vtemper_data_set_note(data, name, text) =
    @foreign(entry(45), Cint, (Ptr{vtemper_data}, Cstring, Cstring,), data, name, text)

"""
    vtemper_data_note(data, name, text)

A note, owned by the handle until it is replaced; "" where there is none of that name. Errors: ARGUMENT.
"""
vtemper_data_note(data, name, text) =
    @foreign(entry(46), Cint, (Ptr{vtemper_data}, Cstring, Ptr{Ptr{UInt8}},), data, name, text)

"""
    vtemper_data_note_count(data, count)

The names of the notes, counted from 0, owned by the handle until notes change. Errors of both: ARGUMENT.
"""
vtemper_data_note_count(data, count) =
    @foreign(entry(47), Cint, (Ptr{vtemper_data}, Ptr{Int32},), data, count)

vtemper_data_note_name(data, index, name) =
    @foreign(entry(48), Cint, (Ptr{vtemper_data}, Int32, Ptr{Ptr{UInt8}},), data, index, name)

"""
    vtemper_data_select(data, rows, count, selected)

New data from the given rows (from 0; repeats allowed), copied. Errors: ARGUMENT, IO, FORMAT, MEMORY.
"""
vtemper_data_select(data, rows, count, selected) =
    @foreign(entry(49), Cint, (Ptr{vtemper_data}, Ptr{Int64}, Int64, Ptr{Ptr{vtemper_data}},), data, rows, count, selected)

"""
    vtemper_data_slice(data, first, count, slice)

The rows first ... first + count - 1 as a new handle, without a copy; of a mapped file they are not read. They
keep their numbers: what depends on (seed, row) is the same in the slice as in the whole (split, split_counts,
samples of infer and evaluate, perturbed rows). Names, weights, texts and notes are those that the whole has at
this call. Errors: ARGUMENT, IO and FORMAT (a mapped file that was truncated or is damaged there), MEMORY.
"""
vtemper_data_slice(data, first, count, slice) =
    @foreign(entry(50), Cint, (Ptr{vtemper_data}, Int64, Int64, Ptr{Ptr{vtemper_data}},), data, first, count, slice)

"""
    vtemper_data_set_part(data, first_row, corpus_rows)

Declares that the rows are part of a corpus that is divided over machines: its rows first_row, first_row + 1, ...
of corpus_rows (at most 1e12). An optimizer of such data takes steps of the whole corpus, each of which is the sum
of the local_steps of all machines: batch_size, rows_total, passes and schedules refer to the whole corpus, a
machine uses the rows of the common batch that it has (perhaps none), and all draws are keyed by row numbers in the
corpus. So machines with the same options and the same initialised model arrive, within rounding, at the result of
one machine with all rows. Where the part was sliced from the corpus, what depends on data (the start of the model,
 temperatures) is chosen from the whole corpus; otherwise it must be given. If corpus_rows is the number of rows of
 the data, they are no longer a part. Call it before an optimizer is created. Select, split and set_weights drop
 the link to the corpus that the part was sliced from; align and split_counts keep the row numbers. Errors:
 ARGUMENT, STATE (an optimizer is running on the data).
"""
vtemper_data_set_part(data, first_row, corpus_rows) =
    @foreign(entry(51), Cint, (Ptr{vtemper_data}, Int64, Int64,), data, first_row, corpus_rows)

"""
    vtemper_data_part(data, first_row, corpus_rows)

The first row's number in the corpus the data are part of, and its rows; else 0 and the rows. Errors: ARGUMENT.
"""
vtemper_data_part(data, first_row, corpus_rows) =
    @foreign(entry(52), Cint, (Ptr{vtemper_data}, Ptr{Int64}, Ptr{Int64},), data, first_row, corpus_rows)

"""
    vtemper_data_split(data, share, seed, first, second)

Divides the rows into two new handles: round(share * rows) rows, drawn with the seed, go to second, the others to
 first, in order. A slice or a part is divided as the split of the whole divides it. 0 < share < 1.
 Errors: ARGUMENT, IO, FORMAT, MEMORY.
"""
vtemper_data_split(data, share, seed, first, second) =
    @foreign(entry(53), Cint, (Ptr{vtemper_data}, Cdouble, UInt64, Ptr{Ptr{vtemper_data}}, Ptr{Ptr{vtemper_data}},), data, share, seed, first, second)

"""
    vtemper_data_split_counts(data, share, seed, observed, heldout)

Divides the tokens into two new handles with the same rows: of a row's n tokens round(share * n), drawn without
 replacement, go to heldout. A row's draw depends on (seed, row) only.
 Errors: ARGUMENT, DATA (counts that are not whole), UNSUPPORTED (other forms), IO, FORMAT, MEMORY, CANCELLED.
"""
vtemper_data_split_counts(data, share, seed, observed, heldout) =
    @foreign(entry(54), Cint, (Ptr{vtemper_data}, Cdouble, UInt64, Ptr{Ptr{vtemper_data}}, Ptr{Ptr{vtemper_data}},), data, share, seed, observed, heldout)

"""
    vtemper_data_destroy(data)

Releases the handle; models and optimizers that use the data keep it alive.
"""
vtemper_data_destroy(data) =
    @foreign_now(entry(55), Cvoid, (Ptr{vtemper_data},), data)

"""
    vtemper_group_create(rank, ranks, reduce, exchange, release, user, group)

Creates a group, without communication. A group can be in one call at a time only (STATE).
 `rank`: from 0   `ranks`: at most 2^20   `reduce`: may be NULL for one rank, like exchange
 `release`: called once, with user, when nothing uses the group any more, but not if this call fails; or NULL
 Errors: ARGUMENT, MEMORY.
"""
vtemper_group_create(rank, ranks, reduce, exchange, release, user, group) =
    @foreign(entry(56), Cint, (Int32, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{vtemper_group}},), rank, ranks, reduce, exchange, release, user, group)

"""
    vtemper_group_share(group, same)

Another handle of the same group, to be destroyed as well. Errors: ARGUMENT, MEMORY.
"""
vtemper_group_share(group, same) =
    @foreign(entry(57), Cint, (Ptr{vtemper_group}, Ptr{Ptr{vtemper_group}},), group, same)

"""
    vtemper_group_destroy(group)

Releases the handle; other handles, and data spread over the group, keep it alive.
"""
vtemper_group_destroy(group) =
    @foreign_now(entry(58), Cvoid, (Ptr{vtemper_group},), group)

"""
    vtemper_group_rank(group, rank, ranks)

This rank's number, and the number of ranks. Either may be NULL. Errors: ARGUMENT.
"""
vtemper_group_rank(group, rank, ranks) =
    @foreign(entry(59), Cint, (Ptr{vtemper_group}, Ptr{Int32}, Ptr{Int32},), group, rank, ranks)

"""
    vtemper_data_spread(own, group, spread)

Spreads a corpus over the group: rows of rank 0 first, then those of rank 1, ... Collective. The handle holds this
rank's rows; vtemper_data_part gives their place in the corpus. batch_size, rows_total, passes, schedules and start
refer to the whole corpus (what is chosen from data is chosen from at most 20,000 rows, evenly spaced); time and
deadline are rank 0's. Only method tempering depends on how the rows are divided; option restarts is refused. Align
and split_counts keep data spread; select, split and slice give rows of this rank alone.
 `own`: rows of this rank, perhaps none; counts and sequences without names get the most columns of a rank
 Errors: ARGUMENT, DATA (other names, no rows at all), STATE (a part or spread already), PEER, MEMORY.
"""
vtemper_data_spread(own, group, spread) =
    @foreign(entry(60), Cint, (Ptr{vtemper_data}, Ptr{vtemper_group}, Ptr{Ptr{vtemper_data}},), own, group, spread)

"""
    vtemper_model_create(kind, options, model)

Creates a model.
 `kind`: such as "lda"; see vtemper_model_kind_name
 `options`: options of that kind, or NULL for the defaults; copied
 Errors: ARGUMENT (unknown kind), OPTION, MEMORY.
"""
vtemper_model_create(kind, options, model) =
    @foreign(entry(61), Cint, (Cstring, Ptr{vtemper_options}, Ptr{Ptr{vtemper_model}},), kind, options, model)

"""
    vtemper_model_copy(model, copy)

An independent copy: the same options and parameters. Errors: ARGUMENT, MEMORY.
"""
vtemper_model_copy(model, copy) =
    @foreign(entry(62), Cint, (Ptr{vtemper_model}, Ptr{Ptr{vtemper_model}},), model, copy)

"""
    vtemper_model_destroy(model)

Releases the handle; an optimizer that fits the model keeps it alive.
"""
vtemper_model_destroy(model) =
    @foreign_now(entry(63), Cvoid, (Ptr{vtemper_model},), model)

"""
    vtemper_model_kind(model)

The model's kind. Static text; NULL for a NULL handle.
"""
vtemper_model_kind(model) =
    @foreign(entry(64), Ptr{UInt8}, (Ptr{vtemper_model},), model)

"""
    vtemper_model_option(model, name, text)

The option as set, or its default, as text ("auto" where it follows from other settings); valid until the model is
initialised or destroyed. Files of the model keep this text, so the next fit chooses anew what is "auto";
vtemper_model_used_options gives what was chosen. Errors: OPTION.
"""
vtemper_model_option(model, name, text) =
    @foreign(entry(65), Cint, (Ptr{vtemper_model}, Cstring, Ptr{Ptr{UInt8}},), model, name, text)

"""
    vtemper_model_used_options(model, options)

All options of the model with the values in use: where vtemper_model_option says "auto", the value that was chosen
from the other options, the data or the fit. A value stays "auto" until it is known: until the model is
initialised, or until the first step of a fit that chooses it.
 `options`: receives a new set, owned by the caller; with it and vtemper_optimizer_used_options' set
                 a fit to the same data repeats bit for bit   Errors: ARGUMENT, MEMORY.
"""
vtemper_model_used_options(model, options) =
    @foreign(entry(66), Cint, (Ptr{vtemper_model}, Ptr{Ptr{vtemper_options}},), model, options)

"""
    vtemper_model_initialize(model, data, seed)

Sizes the parameters for the data and draws the start. Creating an optimizer does this if it has not been done.
The model keeps the data's column names. Errors: DATA, UNSUPPORTED, STATE (an optimizer is running, or holds the
model for another number of columns), IO, FORMAT, MEMORY.
"""
vtemper_model_initialize(model, data, seed) =
    @foreign(entry(67), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, UInt64,), model, data, seed)

"""
    vtemper_model_columns(model, columns)

Columns (words) the model was initialised for; 0 before.
"""
vtemper_model_columns(model, columns) =
    @foreign(entry(68), Cint, (Ptr{vtemper_model}, Ptr{Int64},), model, columns)

"""
    vtemper_model_name(model, column, name)

Name of a column (from 0), owned by the handle; "" where there are none. Errors: ARGUMENT.
"""
vtemper_model_name(model, column, name) =
    @foreign(entry(69), Cint, (Ptr{vtemper_model}, Int64, Ptr{Ptr{UInt8}},), model, column, name)

"""
    vtemper_model_parameter_count(model, count)

Named parameters; their shapes are known after initialisation. Errors of both: ARGUMENT.
"""
vtemper_model_parameter_count(model, count) =
    @foreign(entry(70), Cint, (Ptr{vtemper_model}, Ptr{Int32},), model, count)

vtemper_model_parameter_info(model, index, info) =
    @foreign(entry(71), Cint, (Ptr{vtemper_model}, Int32, Ptr{UInt8},), model, index, info)

"""
    vtemper_model_get(model, name, out, length)

Reads a parameter, row-major. `length`: elements in out; must be the parameter's size.
 Errors: ARGUMENT, STATE before initialisation, NUMERIC (a number that is not finite; out is written even so).
"""
vtemper_model_get(model, name, out, length) =
    @foreign(entry(72), Cint, (Ptr{vtemper_model}, Cstring, Ptr{Cdouble}, Int64,), model, name, out, length)

"""
    vtemper_model_get_strided(model, name, out, length, row_stride, column_stride)

The same with element (i, j) written at out[i * row_stride + j * column_stride]; strides >= 1, and no two elements
share a place; of element (a, b, c), i is a * shape[1] + b. `length` counts elements, not the array around them.
"""
vtemper_model_get_strided(model, name, out, length, row_stride, column_stride) =
    @foreign(entry(73), Cint, (Ptr{vtemper_model}, Cstring, Ptr{Cdouble}, Int64, Int64, Int64,), model, name, out, length, row_stride, column_stride)

"""
    vtemper_model_set(model, name, in, length)

Writes a settable parameter, row-major; refused as a whole when any value lies outside its domain.
 Errors: ARGUMENT, DATA, STATE.
"""
vtemper_model_set(model, name, in, length) =
    @foreign(entry(74), Cint, (Ptr{vtemper_model}, Cstring, Ptr{Cdouble}, Int64,), model, name, in, length)

"""
    vtemper_model_infer_count(model, data, count)

What vtemper_model_infer gives for these rows: names and shapes, which depend on the data. Errors of both:
ARGUMENT, DATA (data that the model does not accept), STATE before initialisation, IO, UNSUPPORTED.
"""
vtemper_model_infer_count(model, data, count) =
    @foreign(entry(75), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Ptr{Int32},), model, data, count)

vtemper_model_infer_info(model, data, index, info) =
    @foreign(entry(76), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Int32, Ptr{UInt8},), model, data, index, info)

"""
    vtemper_model_infer(model, data, quantity, options, out, length)

Local posteriors of the given rows at temperature 1, row-major; for lda: "gamma" or "proportions" [rows x topics];
 for hidden_markov: "marginals" [symbols x states], "path" [symbols], "log_likelihood" [rows]; for gaussian_mixture
 and bernoulli_mixture: "responsibilities" [rows x components], "log_density" [rows], "completed" [rows x columns]
 (the rows, with missing values replaced by their expectation given the others); for sigmoid_belief_network:
 "latent_mean" [rows x units of all layers]; for variational_autoencoder: "latent_mean", "latent_deviation" [rows x
 latent], "reconstruction" [rows x columns]; for deep_exponential_family: "latent_mean" [rows x latent]; for
 factorial_mixture: "activations" [rows x components] (probabilities that the components take part in the row).
 `options`: subject "evaluate", or NULL
 Errors: ARGUMENT, OPTION, DATA (other columns than the model's), STATE, MEMORY. After FORMAT (a mapped file proved
damaged) or CANCELLED the rows before it are written, after NUMERIC (a number that is not finite) all rows.
"""
vtemper_model_infer(model, data, quantity, options, out, length) =
    @foreign(entry(77), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Cstring, Ptr{vtemper_options}, Ptr{Cdouble}, Int64,), model, data, quantity, options, out, length)

vtemper_model_infer_strided(model, data, quantity, options, out, length, row_stride, column_stride) =
    @foreign(entry(78), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Cstring, Ptr{vtemper_options}, Ptr{Cdouble}, Int64, Int64, Int64,), model, data, quantity, options, out, length, row_stride, column_stride)

"""
    vtemper_model_evaluate(model, observed, heldout, measure, options, out)

Scores data at temperature 1, with the same bits for any number of ranks (unless topics are sharded).
 `observed`: rows from which the local posterior is inferred, or the reference documents of a coherence; NULL
                  is allowed for topic_diversity and exclusivity
 `heldout`: held-out tokens of the same rows, or NULL: the library then splits each row's tokens itself
                  (options heldout_share and seed); always NULL for models that score whole rows
 `measure`: "predictive": mean held-out log probability per token in nats (document completion, Hoffman et
                  al. 2013), also for deep_exponential_family; for hidden_markov the mean log probability per
                  symbol under the posterior means; for gaussian_mixture and bernoulli_mixture the mean log
                  density of a row under the posterior predictive (missing values are not scored); for
                  factorial_mixture that of a value given the other half of its row, under a normal of that mean
                  and variance; for the networks the mean of log_marginal over the rows. Rows count by the weights
                  of observed. "perplexity": exp(-predictive), but not for the networks. "elbo": of observed, at
                  temperature 1. A measure of vtemper_model_evaluate_topics: its mean over the topics that have a
                  score (DATA when none has). For the networks and deep_exponential_family also "log_marginal"
                  (sum over the rows of the log probability, by importance sampling with option samples; never
                  below a sampled elbo of the same samples) and "active_units" (units whose posterior mean varies
                  over the rows). For variational_autoencoder also "dead_units" (share of the encoder's hidden
                  units that are off, over rows and units), "dead_units.encoder.l" and "dead_units.decoder.l" (the
                  same of hidden layer l). For kinds with conjugate updates also "log_normalizer": log C(T) of the
                  tempered model for as many rows and tokens as observed has, at option temperature
 Errors: ARGUMENT, OPTION, DATA, STATE, UNSUPPORTED (topics of a kind without words), NUMERIC (a score that is not
 finite), IO, FORMAT, MEMORY, CANCELLED.
"""
vtemper_model_evaluate(model, observed, heldout, measure, options, out) =
    @foreign(entry(79), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Ptr{vtemper_data}, Cstring, Ptr{vtemper_options}, Ptr{Cdouble},), model, observed, heldout, measure, options, out)

"""
    vtemper_model_evaluate_topics(model, reference, measure, options, out, length)

Scores each topic by its n most probable words w_1 ... w_n, best first; n is option top_words.
 `reference`: documents in which words are counted, with the model's columns; read in one pass (mapped data as
                   well). NULL for topic_diversity and exclusivity
 `measure`: "coherence_umass": mean over the pairs l < m of log (D(w_m, w_l) + 1) / D(w_l), where D is the
 number of documents (rows, by weight) that contain the word or both words (Mimno et al. 2011; 1 is their
smoothing); "coherence_npmi": mean over the pairs of log(p_lm / (p_l p_m)) / -log p_lm, where p are shares of the
documents (Bouma 2009; Roeder et al. 2015), without smoothing: -1 for words that never occur together, 1 for words
that all documents contain; "topic_diversity": mean over the words of 1 / the number of topics that have it among
their n; its mean over the topics is the share of distinct words (Dieng et al. 2020); "exclusivity": mean over the
words of the word's probability over the sum of its probabilities under all topics (Bischof and Airoldi 2012).
Coherences leave out pairs with a word that no reference document contains; a topic without any other pair gets NaN
 `options`: subject "evaluate", or NULL   `length`: number of topics
 Errors: ARGUMENT, OPTION, DATA (other columns than the model's), STATE, UNSUPPORTED (a kind without words), IO,
 FORMAT (a mapped file is damaged), MEMORY, CANCELLED.
"""
vtemper_model_evaluate_topics(model, reference, measure, options, out, length) =
    @foreign(entry(80), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Cstring, Ptr{vtemper_options}, Ptr{Cdouble}, Int64,), model, reference, measure, options, out, length)

"""
    vtemper_model_rank_words(model, topic, how, n, indices, scores)

The n highest-ranked words of a topic, best first.
 `how`: "probability"; "lift": probability over the word's overall probability; "relevance": 0.6 of the log
             probability + 0.4 of the log lift; "relevance:0.3" sets the weight lambda in [0, 1] of the log
             probability (Sievert and Shirley 2014); "frex": harmonic mean of the within-topic ranks of
             exclusivity and frequency, both at weight 0.5; "frex:0.7" sets the weight of exclusivity in [0, 1]
             (Bischof and Airoldi 2012); "label": the words that distinguish a topic from all others: p ((1 - w)
             log(p / overall) + w log(p / rival)), where p is the probability, overall that over all topics, rival
             the largest under another topic, and w = 0.5; "label:0.8" sets w in [0, 1]. One topic: probability
 `indices`: [n] columns   `scores`: [n], or NULL
 Errors: ARGUMENT, STATE, UNSUPPORTED (a kind without words), MEMORY.
"""
vtemper_model_rank_words(model, topic, how, n, indices, scores) =
    @foreign(entry(81), Cint, (Ptr{vtemper_model}, Int64, Cstring, Int64, Ptr{Int64}, Ptr{Cdouble},), model, topic, how, n, indices, scores)

"""
    vtemper_model_rank_all_words(model, how, n, indices, scores)

The same for all topics at once, at little more than the cost of one. indices, scores: [topics x n].
"""
vtemper_model_rank_all_words(model, how, n, indices, scores) =
    @foreign(entry(82), Cint, (Ptr{vtemper_model}, Cstring, Int64, Ptr{Int64}, Ptr{Cdouble},), model, how, n, indices, scores)

"""
    vtemper_model_topic_map(model, by, places, length)

Map of the topics: points whose distances approximate those of the topics' word probabilities, by classical
scaling (Torgerson 1952). Above about 6e8 / topics^2 words (at least 200) the rarer ones count as one word.
 `by`: "distance": sqrt(JS), JS(p, q) = H((p + q) / 2) - (H(p) + H(q)) / 2 in nats; "divergence": JS
 `places`: [topics x 2]: x is the direction of larger spread   `length`: 2 * topics
 Errors: ARGUMENT, STATE, UNSUPPORTED (a kind without words), MEMORY, CANCELLED (vtemper_set_interrupt).
"""
vtemper_model_topic_map(model, by, places, length) =
    @foreign(entry(83), Cint, (Ptr{vtemper_model}, Cstring, Ptr{Cdouble}, Int64,), model, by, places, length)

"""
    vtemper_model_set_note(model, name, text)

Attaches a note: a text that is saved and copied with the model but is not part of it, such as how it was fitted.
 It replaces an earlier note of that name; text NULL removes the note. Checkpoints do not hold notes.
 Errors: ARGUMENT (an empty name, not UTF-8), STATE (an optimizer is running), MEMORY.
"""
vtemper_model_set_note(model, name, text) =
    @foreign(entry(84), Cint, (Ptr{vtemper_model}, Cstring, Cstring,), model, name, text)

"""
    vtemper_model_note(model, name, text)

A note, owned by the handle until it is replaced; "" where there is none of that name. Errors: ARGUMENT.
"""
vtemper_model_note(model, name, text) =
    @foreign(entry(85), Cint, (Ptr{vtemper_model}, Cstring, Ptr{Ptr{UInt8}},), model, name, text)

"""
    vtemper_model_note_count(model, count)

The names of the notes, counted from 0, owned by the handle until notes change. Errors of both: ARGUMENT.
"""
vtemper_model_note_count(model, count) =
    @foreign(entry(86), Cint, (Ptr{vtemper_model}, Ptr{Int32},), model, count)

vtemper_model_note_name(model, index, name) =
    @foreign(entry(87), Cint, (Ptr{vtemper_model}, Int32, Ptr{Ptr{UInt8}},), model, index, name)

"""
    vtemper_model_save(model, path)

Model file, safetensors layout. At any moment, even after a loss of power, the path holds either the old file or
the new one, complete; after OK, the new one. Where an IO error says so, the new file is there but a loss of power
may bring back the old one. What could not be loaded again is not written (NUMERIC). Errors: IO, FORMAT, STATE,
NUMERIC, MEMORY.
"""
vtemper_model_save(model, path) =
    @foreign(entry(88), Cint, (Ptr{vtemper_model}, Cstring,), model, path)

vtemper_model_load(path, model) =
    @foreign(entry(89), Cint, (Cstring, Ptr{Ptr{vtemper_model}},), path, model)

"""
    vtemper_model_save_buffer(model, buffer, capacity, size)

The bytes of the file in memory.
 `buffer`: [capacity] bytes, or NULL to ask for the size only   `size`: receives the bytes needed
 Errors: ARGUMENT when capacity is too small (size is set even then), STATE before initialisation, MEMORY.
"""
vtemper_model_save_buffer(model, buffer, capacity, size) =
    @foreign(entry(90), Cint, (Ptr{vtemper_model}, Ptr{Cvoid}, Int64, Ptr{Int64},), model, buffer, capacity, size)

"""
    vtemper_model_load_buffer(buffer, size, model)

A model from the bytes of a file, which may be freed after the call. Errors: ARGUMENT, FORMAT, MEMORY.
"""
vtemper_model_load_buffer(buffer, size, model) =
    @foreign(entry(91), Cint, (Ptr{Cvoid}, Int64, Ptr{Ptr{vtemper_model}},), buffer, size, model)

"""
    vtemper_model_fit_memory(model, data, options, bytes)

Approximate number of bytes that a fit of the model to the data will take, before any is allocated: the
optimizer's quantity "memory". The model need not be initialised. Topics of lda that option parameters_folder keeps
in a file are not counted.
 `options`: subject "optimizer", or NULL for the defaults   `bytes`: receives the number; 0 if unknown
Errors: ARGUMENT, OPTION, UNSUPPORTED, DATA, MEMORY.
"""
vtemper_model_fit_memory(model, data, options, bytes) =
    @foreign(entry(92), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Ptr{vtemper_options}, Ptr{Cdouble},), model, data, options, bytes)

"""
    vtemper_optimizer_create(model, data, options, optimizer)

Creates an optimizer; initialises the model if that has not been done (which needs data).
 `data`: what to fit, or NULL when rows are fed; kept alive
 `options`: subject "optimizer", or NULL for the defaults; copied
 Errors: OPTION, UNSUPPORTED (both sides are named), DATA, STATE, MEMORY; CANCELLED (the caller's interrupt, or
 option deadline, came while the model was being initialised; it then remains uninitialised).
"""
vtemper_optimizer_create(model, data, options, optimizer) =
    @foreign(entry(93), Cint, (Ptr{vtemper_model}, Ptr{vtemper_data}, Ptr{vtemper_options}, Ptr{Ptr{vtemper_optimizer}},), model, data, options, optimizer)

"""
    vtemper_optimizer_destroy(optimizer)

If a monitor of the same handle calls it, it takes effect after the run has returned.
"""
vtemper_optimizer_destroy(optimizer) =
    @foreign_now(entry(94), Cvoid, (Ptr{vtemper_optimizer},), optimizer)

"""
    vtemper_optimizer_model(optimizer, model)

A new handle of the model that this optimizer fits: the same model, not a copy. Errors: ARGUMENT, MEMORY.
"""
vtemper_optimizer_model(optimizer, model) =
    @foreign(entry(95), Cint, (Ptr{vtemper_optimizer}, Ptr{Ptr{vtemper_model}},), optimizer, model)

"""
    vtemper_optimizer_option(optimizer, name, text)

The option as set, or its default, as text ("auto" where it follows from other settings: the option's description
says how); owned by the handle. Of several starts: that of the best one, once it is chosen. Errors: OPTION.
"""
vtemper_optimizer_option(optimizer, name, text) =
    @foreign(entry(96), Cint, (Ptr{vtemper_optimizer}, Cstring, Ptr{Ptr{UInt8}},), optimizer, name, text)

"""
    vtemper_optimizer_used_options(optimizer, options)

All options of the run with the values in use: where vtemper_optimizer_option says "auto", or 0 where that means a
rule, the value that was chosen, such as the start temperature or the number of steps. A value stays "auto" until
it is known, at the first step. With several starts: those of the best one, once it is chosen, with restarts 1.
 `options`: receives a new set, owned by the caller. Given to vtemper_optimizer_create, all of them repeat the
                 run bit for bit, except runs with option time, which depend on the clock
Errors: ARGUMENT, MEMORY.
"""
vtemper_optimizer_used_options(optimizer, options) =
    @foreign(entry(97), Cint, (Ptr{vtemper_optimizer}, Ptr{Ptr{vtemper_options}},), optimizer, options)

"""
    vtemper_optimizer_step(optimizer, steps, report)

Takes `steps` (>= 0) steps, each completely or not at all, even beyond the end of the run. A step that would take
a parameter out of its domain fails with NUMERIC and leaves the state before that step.
 `report`: of the last complete step, written for OK and CANCELLED; may be NULL. After any other failure
                vtemper_optimizer_report says how many steps were done
Errors: ARGUMENT, STATE (created without data, or running), DATA (all weights are 0), NUMERIC, FORMAT (a damaged
mapped file), IO, MEMORY; CANCELLED.
"""
vtemper_optimizer_step(optimizer, steps, report) =
    @foreign(entry(98), Cint, (Ptr{vtemper_optimizer}, Int64, Ptr{UInt8},), optimizer, steps, report)

"""
    vtemper_optimizer_run(optimizer, report)

Steps until converged, max_passes, max_iterations, time or deadline is reached, or the monitor stops it. A run
that ends unsettled (see vtemper_report) says so in a message and in its model's note "ending", which the library
removes once the model has settled. Report and errors as for step.
"""
vtemper_optimizer_run(optimizer, report) =
    @foreign(entry(99), Cint, (Ptr{vtemper_optimizer}, Ptr{UInt8},), optimizer, report)

"""
    vtemper_optimizer_feed(optimizer, batch, report)

One step on the rows of this call; needs option rows_total unless the optimizer has data. The same rows in other
 chunks make another run: the bits depend on which rows are fed together. Kinds that keep a posterior for each row
 of their data (deep_exponential_family, factorial_mixture with updates gradient) fit those of fed rows anew.
Report and errors as for step, DATA (other columns than the model's), and UNSUPPORTED (several starts, option time;
except for the optimizer's own data also step_size full, or a proximity constraint on posteriors that are kept).
"""
vtemper_optimizer_feed(optimizer, batch, report) =
    @foreign(entry(100), Cint, (Ptr{vtemper_optimizer}, Ptr{vtemper_data}, Ptr{UInt8},), optimizer, batch, report)

"""
    vtemper_optimizer_report(optimizer, report)

The report of the last complete step. Errors: ARGUMENT.
"""
vtemper_optimizer_report(optimizer, report) =
    @foreign(entry(101), Cint, (Ptr{vtemper_optimizer}, Ptr{UInt8},), optimizer, report)

"""
    vtemper_optimizer_set_monitor(optimizer, monitor, user)

NULL removes the monitor. It is called every report_every steps and at least every 0.2 seconds, between steps.
"""
vtemper_optimizer_set_monitor(optimizer, monitor, user) =
    @foreign(entry(102), Cint, (Ptr{vtemper_optimizer}, Ptr{Cvoid}, Ptr{Cvoid},), optimizer, monitor, user)

"""
    vtemper_optimizer_set_messages(optimizer, message, user)

NULL removes the function.
"""
vtemper_optimizer_set_messages(optimizer, message, user) =
    @foreign(entry(103), Cint, (Ptr{vtemper_optimizer}, Ptr{Cvoid}, Ptr{Cvoid},), optimizer, message, user)

"""
    vtemper_optimizer_quantity_count(optimizer, count)

Traces ("trace.iteration", "trace.temperature", ...) and the state of the parts ("temperature.weights", ...).
Global and local "temperature.log_normalizer" are log C(T_m) of all rows together, in nats.
Errors: ARGUMENT, STATE (running); set: also DATA (a value out of its domain), UNSUPPORTED (several starts).
"""
vtemper_optimizer_quantity_count(optimizer, count) =
    @foreign(entry(104), Cint, (Ptr{vtemper_optimizer}, Ptr{Int32},), optimizer, count)

vtemper_optimizer_quantity_info(optimizer, index, info) =
    @foreign(entry(105), Cint, (Ptr{vtemper_optimizer}, Int32, Ptr{UInt8},), optimizer, index, info)

vtemper_optimizer_get(optimizer, name, out, length) =
    @foreign(entry(106), Cint, (Ptr{vtemper_optimizer}, Cstring, Ptr{Cdouble}, Int64,), optimizer, name, out, length)

vtemper_optimizer_get_strided(optimizer, name, out, length, row_stride, column_stride) =
    @foreign(entry(107), Cint, (Ptr{vtemper_optimizer}, Cstring, Ptr{Cdouble}, Int64, Int64, Int64,), optimizer, name, out, length, row_stride, column_stride)

vtemper_optimizer_set(optimizer, name, in, length) =
    @foreign(entry(108), Cint, (Ptr{vtemper_optimizer}, Cstring, Ptr{Cdouble}, Int64,), optimizer, name, in, length)

"""
    vtemper_optimizer_statistics_length(optimizer, length)

The two halves of a step, for sums over machines: local_step gives the additive statistics of this machine's rows,
 global_step takes their sum over the machines. One after the other, the parameters equal those of step (batch
 NULL: the next own batch) or feed, bit for bit. Only global_step changes parameters and clock. Machines with data
 of their own declare which part of the corpus they have (vtemper_data_set_part); machines that are fed call
 local_step_at. What one machine would choose from its own rows or clock (option deadline; temperature_start,
 proximity_magnitude and numbers of tokens if set from the first rows) is refused once the sum includes rows of
 others. Errors: DATA for statistics that cannot be a sum, or not of as many rows as the step has on all machines;
 those of feed; OPTION.
"""
vtemper_optimizer_statistics_length(optimizer, length) =
    @foreign(entry(109), Cint, (Ptr{vtemper_optimizer}, Ptr{Int64},), optimizer, length)

vtemper_optimizer_local_step(optimizer, batch, statistics, length) =
    @foreign(entry(110), Cint, (Ptr{vtemper_optimizer}, Ptr{vtemper_data}, Ptr{Cdouble}, Int64,), optimizer, batch, statistics, length)

vtemper_optimizer_global_step(optimizer, statistics, length, report) =
    @foreign(entry(111), Cint, (Ptr{vtemper_optimizer}, Ptr{Cdouble}, Int64, Ptr{UInt8},), optimizer, statistics, length, report)

"""
    vtemper_optimizer_local_step_at(optimizer, batch, first_place, step_rows, statistics, statistics_type, length)

The same for fed rows where other machines have the rest of the step's rows, and in single precision where the
model computes in it: half the bytes, every sum rounded to 24 bits (counts of rows are exact up to 2^24).
 `batch`: as for local_step
 `first_place`: place of the batch's first row among the rows of the step; 0 with batch NULL. Draws are
                         keyed by it, so no two machines draw the same numbers
 `step_rows`: rows of the step on all machines, at most 2^31 - 1; 0 with batch NULL
 `statistics`: [length], written   `statistics_type`: VTEMPER_FLOAT or VTEMPER_DOUBLE
 Errors: as for local_step; ARGUMENT for places beyond the step; STATE for a batch of an optimizer that has data;
 NUMERIC for sums beyond the range of single precision.
"""
vtemper_optimizer_local_step_at(optimizer, batch, first_place, step_rows, statistics, statistics_type, length) =
    @foreign(entry(112), Cint, (Ptr{vtemper_optimizer}, Ptr{vtemper_data}, Int64, Int64, Ptr{Cvoid}, Cint, Int64,), optimizer, batch, first_place, step_rows, statistics, statistics_type, length)

"""
    vtemper_optimizer_global_step_of(optimizer, statistics, statistics_type, length, report)

global_step for statistics of type FLOAT or DOUBLE. Errors: as there.
"""
vtemper_optimizer_global_step_of(optimizer, statistics, statistics_type, length, report) =
    @foreign(entry(113), Cint, (Ptr{vtemper_optimizer}, Ptr{Cvoid}, Cint, Int64, Ptr{UInt8},), optimizer, statistics, statistics_type, length, report)

"""
    vtemper_optimizer_statistics_count(optimizer, count)

The layout of the statistics: arrays stored one after another, row-major, in the order of their index; their sizes
add up to statistics_length. First come the sums over the rows of the step ("sums.rows", ...), one number each,
then what the method measures, then the arrays of the model, such as lda's "words" [words x topics]. All are
additive. Errors of both: ARGUMENT.
"""
vtemper_optimizer_statistics_count(optimizer, count) =
    @foreign(entry(114), Cint, (Ptr{vtemper_optimizer}, Ptr{Int32},), optimizer, count)

vtemper_optimizer_statistics_info(optimizer, index, info) =
    @foreign(entry(115), Cint, (Ptr{vtemper_optimizer}, Int32, Ptr{UInt8},), optimizer, index, info)

"""
    vtemper_optimizer_save(optimizer, path)

Checkpoint of optimizer and model, written completely or not at all; a resumed run continues bit for bit on the
same instruction set. It does not contain data, monitor and message function. For data spread over a group the file
of one rank is enough: any number of ranks can resume from it. The posteriors that some kinds keep for each row are
then not in it, and are inferred anew. Errors: ARGUMENT, IO, NUMERIC (what could not be loaded again), UNSUPPORTED
(a proximity constraint on posteriors of rows that are spread over ranks), MEMORY.
"""
vtemper_optimizer_save(optimizer, path) =
    @foreign(entry(116), Cint, (Ptr{vtemper_optimizer}, Cstring,), optimizer, path)

"""
    vtemper_optimizer_load(path, data, optimizer)

Loads the model too: vtemper_optimizer_model. Errors: ARGUMENT, IO, FORMAT, DATA (other data), MEMORY.
 `data`: the data of the saved optimizer, or NULL when rows are fed; must be NULL if they were fed before
"""
vtemper_optimizer_load(path, data, optimizer) =
    @foreign(entry(117), Cint, (Cstring, Ptr{vtemper_data}, Ptr{Ptr{vtemper_optimizer}},), path, data, optimizer)

"""
    vtemper_checkpoint_kind(path, kind)

The kind of the model in a checkpoint: its form is that of the data. Static text. Errors: ARGUMENT, IO, FORMAT.
"""
vtemper_checkpoint_kind(path, kind) =
    @foreign(entry(118), Cint, (Cstring, Ptr{Ptr{UInt8}},), path, kind)

"""
    vtemper_optimizer_save_buffer(optimizer, buffer, capacity, size)

The same bytes in memory, as vtemper_model_save_buffer and vtemper_model_load_buffer.
"""
vtemper_optimizer_save_buffer(optimizer, buffer, capacity, size) =
    @foreign(entry(119), Cint, (Ptr{vtemper_optimizer}, Ptr{Cvoid}, Int64, Ptr{Int64},), optimizer, buffer, capacity, size)

vtemper_optimizer_load_buffer(buffer, size, data, optimizer) =
    @foreign(entry(120), Cint, (Ptr{Cvoid}, Int64, Ptr{vtemper_data}, Ptr{Ptr{vtemper_optimizer}},), buffer, size, data, optimizer)
