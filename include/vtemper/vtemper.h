/* vtemper: variational inference that gets out of bad local optima.
 *
 * The whole C interface of libvtemper, valid C99, C11 and C++17.
 *
 * Conventions
 *   Status     Functions that can fail return a vtemper_status. Results come through trailing out-pointers,
 *              which are left untouched on failure. A call that fails changes nothing. Exceptions are stated.
 *   Errors     vtemper_last_error() gives the calling thread's last failure as a message. Only failing calls
 *              write it; successful calls and *_destroy neither write nor clear it.
 *   Handles    Opaque and reference-counted: a handle keeps alive what it uses, so handles may be destroyed in any
 *              order. *_destroy(NULL) does nothing.
 *   Threads    Different handles may be used from different threads at the same time, each handle by one thread at a
 *              time (an optimizer and the model it fits count as one); functions that take a const handle may run
 *              concurrently on it. The library's own threads block the host's signals and end when the library is
 *              unloaded; where the system grants no threads, calls run on fewer. In a process forked after they
 *              were started, calls use one thread.
 *   Arrays     double, row-major; lengths are numbers of elements. A `_strided` twin takes the distance between
 *              neighbours in a row and in a column, in elements, so column-major hosts need no copy.
 *   Text       UTF-8. Numbers in text never depend on the locale.
 *   Structs    begin with struct_size, which the caller sets to sizeof: the library writes what fits, zeroes the
 *              rest of a larger struct, and refuses zero and more than 4096 (uninitialised memory).
 *   Callbacks  run on the calling thread, outside parallel work; no exception and no longjmp may leave them.
 *   Bits       The same seed gives the same bits on the same machine and instruction set, for any number of
 *              threads.
 *   The library never prints, aborts, installs signal handlers, or changes process-wide state.
 */
#ifndef VTEMPER_VTEMPER_H
#define VTEMPER_VTEMPER_H

#include <stddef.h>
#include <stdint.h>

#include <vtemper/version.h>

#if defined(_WIN32) || defined(__CYGWIN__)
#define VTEMPER_API
#else
#define VTEMPER_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and version ------------------------------------------------------------------------------------ */

/** The result of a call. Values are never reused. */
typedef enum vtemper_status {
  VTEMPER_OK = 0,
  VTEMPER_ERROR_ARGUMENT = 1,    /**< an invalid NULL, length, index or name */
  VTEMPER_ERROR_OPTION = 2,      /**< an option that is unknown, out of range, or would have no effect */
  VTEMPER_ERROR_DATA = 3,        /**< invalid data; the message says where the first error is */
  VTEMPER_ERROR_STATE = 4,       /**< the handle cannot do this now */
  VTEMPER_ERROR_MEMORY = 5,      /**< out of memory */
  VTEMPER_ERROR_IO = 6,          /**< a file could not be read or written */
  VTEMPER_ERROR_FORMAT = 7,      /**< a file or buffer is truncated, damaged, or not in a format of this library */
  VTEMPER_ERROR_NUMERIC = 8,     /**< a computation gave a number that is not finite */
  VTEMPER_ERROR_UNSUPPORTED = 9, /**< a combination that is not supported; the message names both sides */
  VTEMPER_ERROR_INTERNAL = 10,   /**< a bug in the library */
  VTEMPER_ERROR_PEER = 11,       /**< another rank of the group failed; the message names it and says why */
  VTEMPER_CANCELLED = 20         /**< monitor or interrupt ended the call; the last completed step stands */
} vtemper_status;

/** "MAJOR.MINOR.PATCH" of the library in use. Static text. */
VTEMPER_API const char* vtemper_version(void);
/** The version as major * 1000000 + minor * 1000 + patch; compare with VTEMPER_VERSION_NUMBER of the header. */
VTEMPER_API int32_t vtemper_version_number(void);
/** One line: version, instruction set in use and those available, compiler. Static text. */
VTEMPER_API const char* vtemper_build_info(void);

/** The calling thread's last failure as a message; "" before the first. Every status except VTEMPER_OK sets one, of
 * at most 2047 bytes. Valid until the thread's next failure. */
VTEMPER_API const char* vtemper_last_error(void);

/** The name of a status, such as "VTEMPER_ERROR_DATA"; "unknown status" for any other value. Static text. */
VTEMPER_API const char* vtemper_status_name(vtemper_status status);

/** Polled by long calls; a non-zero result cancels the call. */
typedef int (*vtemper_interrupt)(void* user);

/** Sets the function that long calls of the calling thread (steps, inference, scores, reading, a start drawn by
 * vtemper_optimizer_create) poll about every 0.05 seconds, so that a host can cancel them on Ctrl-C. A cancelled
 * call fails with CANCELLED and changes nothing, except that a run keeps the steps it has completed. Unlike other
 * callbacks it runs while worker threads are busy, though always on the calling thread; it must not call the library.
 *  @param interrupt  NULL removes it */
VTEMPER_API void vtemper_set_interrupt(vtemper_interrupt interrupt, void* user);

/* ---- Handles ------------------------------------------------------------------------------------------------ */

typedef struct vtemper_options vtemper_options;
typedef struct vtemper_data vtemper_data;
typedef struct vtemper_model vtemper_model;
typedef struct vtemper_optimizer vtemper_optimizer;
typedef struct vtemper_group vtemper_group;

/* ---- Describing --------------------------------------------------------------------------------------------- */

/** The form of the data in a handle. */
typedef enum vtemper_data_form {
  VTEMPER_COUNTS = 1,   /**< sparse non-negative counts, documents x words */
  VTEMPER_DENSE = 2,    /**< dense reals, NaN = missing */
  VTEMPER_SEQUENCES = 3 /**< sequences of symbols, sequences x alphabet */
} vtemper_data_form;

/** Types of option values. */
typedef enum vtemper_option_type {
  VTEMPER_OPTION_INTEGER = 1,
  VTEMPER_OPTION_REAL = 2,
  VTEMPER_OPTION_REALS = 3, /**< one real or a list; as text, separated by commas */
  VTEMPER_OPTION_CHOICE = 4,
  VTEMPER_OPTION_BOOLEAN = 5, /**< as text: true or false */
  VTEMPER_OPTION_TEXT = 6     /**< any text in UTF-8, such as a path */
} vtemper_option_type;

/** One option, as vtemper_option_info fills it. All text is static. */
typedef struct vtemper_option {
  size_t struct_size;
  int32_t type;             /**< a vtemper_option_type */
  const char* name;         /**< lower case, whole words */
  const char* default_text; /**< the default as text; "auto" where it depends on other settings (see description) */
  double minimum;           /**< smallest value (numbers; inclusive) */
  double maximum;           /**< largest value (numbers; inclusive) */
  const char* choices;      /**< the valid words separated by spaces; "" unless type is CHOICE */
  const char* description;  /**< what it does, with the unit */
} vtemper_option;

/** One named array of a model or optimizer, as *_parameter_info and *_quantity_info fill it. */
typedef struct vtemper_quantity {
  size_t struct_size;
  const char* name;        /**< static text */
  int32_t rank;            /**< number of dimensions: 0 (one number) to 3 */
  int32_t settable;        /**< 1 when the matching _set accepts it */
  int64_t shape[4];        /**< sizes; 1 beyond the rank */
  const char* description; /**< what it is; static text */
} vtemper_quantity;

/** Number of model kinds. Kinds are counted from 0. */
VTEMPER_API int32_t vtemper_model_kind_count(void);
/** Name of model kind `index` from 0, such as "lda"; NULL when out of range. Static text. */
VTEMPER_API const char* vtemper_model_kind_name(int32_t index);
/** Description of model kind `index` in one sentence; NULL when out of range. Static text. */
VTEMPER_API const char* vtemper_model_kind_description(int32_t index);

/** The form of data that models of a kind are fitted to; a host converts its own arrays to it. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_model_kind_form(const char* kind, vtemper_data_form* form);

/** Number of options of a subject: of a model kind, "optimizer" or "evaluate" (the options of vtemper_model_infer and
 * _evaluate). Errors: ARGUMENT for an unknown subject. */
VTEMPER_API vtemper_status vtemper_option_count(const char* subject, int32_t* count);
/** Describes option `index` (from 0) of a subject; struct_size of info is set by the caller. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_option_info(const char* subject, int32_t index, vtemper_option* info);

/* ---- Options: a set of names and values --------------------------------------------------------------------- */

/** An empty set. Names and values are checked where the set is used; a name that has no effect there is refused, and
 *  the nearest valid ones are suggested. Errors: MEMORY. */
VTEMPER_API vtemper_status vtemper_options_create(vtemper_options** options);
/** An independent copy of the set. Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_options_copy(const vtemper_options* options, vtemper_options** copy);
VTEMPER_API void vtemper_options_destroy(vtemper_options* options);

/** Set one value, replacing an earlier one. `_set` parses text as any type. Reals must be finite; a list must not be
 * empty. Errors: ARGUMENT (NULL, empty name, not UTF-8, not finite), MEMORY. */
VTEMPER_API vtemper_status vtemper_options_set(vtemper_options* options, const char* name, const char* text);
VTEMPER_API vtemper_status vtemper_options_set_text(vtemper_options* options, const char* name, const char* text);
VTEMPER_API vtemper_status vtemper_options_set_integer(vtemper_options* options, const char* name, int64_t value);
VTEMPER_API vtemper_status vtemper_options_set_real(vtemper_options* options, const char* name, double value);
VTEMPER_API vtemper_status vtemper_options_set_reals(vtemper_options* options, const char* name, const double* values,
                                                     int64_t length);

/** The value of `name` as text, owned by the set and valid until the set changes.
 *  Errors: OPTION when the set has no such name. */
VTEMPER_API vtemper_status vtemper_options_get_text(const vtemper_options* options, const char* name,
                                                    const char** text);

/* ---- Data --------------------------------------------------------------------------------------------------- */

/** Element types of arrays handed in. */
typedef enum vtemper_element {
  VTEMPER_INT32 = 1,
  VTEMPER_INT64 = 2,
  VTEMPER_FLOAT = 3,
  VTEMPER_DOUBLE = 4
} vtemper_element;

/** Which dimension of the rows x columns matrix is compressed: rows (CSR) or columns (CSC). */
typedef enum vtemper_layout { VTEMPER_BY_ROWS = 1, VTEMPER_BY_COLUMNS = 2 } vtemper_layout;

/** COPY: the arrays may be reused or freed when the call returns. BORROW: they must stay valid and unchanged until
 * the release hook is called. */
typedef enum vtemper_ownership { VTEMPER_COPY = 1, VTEMPER_BORROW = 2 } vtemper_ownership;

/** Called once, when the last handle that uses the borrowed arrays is destroyed, on the thread that destroys it. */
typedef void (*vtemper_release)(void* user);

/** Sparse counts, rows (documents) x columns (words), in either compressed layout.
 *  @param offsets  [rows + 1], or [columns + 1] by columns; INT32 or INT64; first is index_base, non-decreasing
 *  @param indices  [entries]; INT32 or INT64; columns of a row, or rows of a column; in [base, base + size), no
 *                  repeats within a row (or column); need not be sorted
 *  @param values   [entries]; any type; finite, >= 0; zeros are allowed and ignored. Fractional values are accepted
 *                  here and refused where whole tokens are needed
 *  @param index_base  0 or 1, for offsets and indices alike
 *  @param release  hook for BORROW, or NULL; must be NULL for COPY. Not called if this call fails
 *  Indices and values may be NULL where the offsets say that there are no entries. By rows with BORROW nothing is
 *  copied. By columns the matrix is transposed once and the arrays are released, by the hook, before the call
 *  returns. A words x documents matrix by columns has the same arrays as its transpose, documents x words, by rows.
 *  Errors: ARGUMENT, DATA (names first offending row and column), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_from_counts(vtemper_layout layout, int64_t rows, int64_t columns,
                                                    const void* offsets, vtemper_element offsets_type,
                                                    const void* indices, vtemper_element indices_type,
                                                    const void* values, vtemper_element values_type,
                                                    int64_t index_base, vtemper_ownership ownership,
                                                    vtemper_release release, void* user, vtemper_data** data);

/** Dense reals, rows x columns; NaN = missing, infinities are refused.
 *  @param values         FLOAT or DOUBLE; element (i, j) at i * row_stride + j * column_stride (strides >= 0,
 *                        in elements)
 *  Errors: ARGUMENT, DATA (names first offending row and column), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_from_dense(int64_t rows, int64_t columns, const void* values,
                                                   vtemper_element values_type, int64_t row_stride,
                                                   int64_t column_stride, vtemper_ownership ownership,
                                                   vtemper_release release, void* user, vtemper_data** data);

/** Sequences of symbols of an alphabet; the rows of the data are the sequences, its columns the symbols.
 *  @param offsets  [rows + 1]; INT32 or INT64; first is index_base, non-decreasing; a sequence may be empty
 *  @param symbols  [symbols of all sequences], one sequence after another; INT32 or INT64; in
 *                  [base, base + alphabet)
 *  @param index_base  0 or 1, for offsets and symbols alike
 *  Ownership and release as for counts; with BORROW nothing is copied. Symbols may be NULL where there are none.
 *  Errors: ARGUMENT, DATA (names first offending row and position), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_from_sequences(int64_t rows, int64_t alphabet, const void* offsets,
                                                       vtemper_element offsets_type, const void* symbols,
                                                       vtemper_element symbols_type, int64_t index_base,
                                                       vtemper_ownership ownership, vtemper_release release,
                                                       void* user, vtemper_data** data);

/** Reads a file.
 *  @param format  "auto" (or NULL), "docword" (UCI), "ldac", "svmlight" (columns count from 0 if column 0 occurs,
 *      else from 1; "svmlight0", "svmlight1" say it), "matrix_market" (arrays are dense), "mapped", "sequences"
 *      (a line each, symbols from 0), "labelled_sequences" (after an ignored word), "word_sequences" (words are the
 *      symbols and name them); "csv" (numbers separated by commas if the first line has any, else semicolons, else
 *      tabs; missing: empty, NA, NaN, blank lines of a single column; a first line of names is used; rows with a
 *      field more than names, or below an empty first name, begin with their own, which become row text "name");
 *      "npy" (NumPy) and "idx" (MNIST), rows along the first dimension. All but "mapped" may be gzip. "auto" knows
 *      all but sequences; .csv, .tsv, .ldac, .svm, .svmlight, .libsvm break ties
 *  A mapped file opens in constant time and memory: up to 64 MB are read at once, rows of longer files when
 *  needed, to stay in up to half of the memory that was free then. Rows are checked when used; others may replace,
 *  truncate or write the file (IO, FORMAT, or other numbers where rows had not been read).
 *  Errors: IO, FORMAT (damaged), DATA (names line, row and column), MEMORY, CANCELLED (vtemper_set_interrupt). */
VTEMPER_API vtemper_status vtemper_data_read(const char* path, const char* format, vtemper_data** data);

/** Reads part `part` (from 0) of a file whose rows are lines ("ldac", "csv", "sequences", "labelled_sequences"), cut
 * at line ends into `parts` byte ranges of about equal size. A part has the columns that occur in it. Errors: as
 * vtemper_data_read; UNSUPPORTED (a compressed file, or another format), ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_read_part(const char* path, const char* format, int32_t part, int32_t parts,
                                                  vtemper_data** data);

/** Writes rows, names, weights, texts and notes as a mapped file (safetensors), completely or not at all.
 * Errors: ARGUMENT, FORMAT (the rows are mapped from a damaged file), IO, MEMORY, CANCELLED. */
VTEMPER_API vtemper_status vtemper_data_write(const vtemper_data* data, const char* path);

/** Converts a file to the mapped file that vtemper_data_read and _write would give, but row by row: memory depends on
 * the longest row and the names, not on the number of rows; temporary files beside out_path take the space of the
 * result. "docword" and "matrix_market" with decreasing row numbers, its arrays and Fortran "npy" are read whole.
 *  @param path    in any format of vtemper_data_read; may be a pipe, except for "mapped"
 *  @param names   [count] column names that replace those in the file; NULL with count 0 keeps the file's. With more
 *                 names than counts or sequences have columns, columns without entries are added
 *  @param out_path  a regular file, or none yet
 *  Errors: as vtemper_data_read and vtemper_data_write; ARGUMENT (too few; words name symbols), DATA (invalid). */
VTEMPER_API vtemper_status vtemper_data_convert(const char* path, const char* format, const char* const* names,
                                                int64_t count, const char* out_path);
/** Checks rows and checksum of a mapped file, as it was or is read. Errors: ARGUMENT, IO, FORMAT, CANCELLED. */
VTEMPER_API vtemper_status vtemper_data_verify(const vtemper_data* data);

/** Sizes. Errors of these five: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_rows(const vtemper_data* data, int64_t* rows);
VTEMPER_API vtemper_status vtemper_data_columns(const vtemper_data* data, int64_t* columns);
/** Stored entries (counts), rows * columns (dense), or symbols of all sequences. */
VTEMPER_API vtemper_status vtemper_data_entries(const vtemper_data* data, int64_t* entries);
/** Sum of all counts, or of all values that are not missing, or the number of symbols. Takes one pass over the data.
 * Also DATA (a borrowed array was changed), FORMAT (a damaged mapped file), IO (a truncated one). */
VTEMPER_API vtemper_status vtemper_data_total(const vtemper_data* data, double* total);
VTEMPER_API vtemper_status vtemper_data_form_of(const vtemper_data* data, vtemper_data_form* form);

/** Reads one row (from 0) back: of counts, the positive ones with their columns, in stored order; of dense rows,
 * every column with its value (NaN = missing); of a sequence, its symbols in order, each with value 1.
 *  @param columns   [capacity] columns or symbols, from 0; or NULL
 *  @param values    [capacity] counts or values; or NULL
 *  @param capacity  elements of columns and values   @param length receives the row's elements: 0 if it is empty
 * Borrowed and mapped data are checked as they are read. Errors: ARGUMENT (also a capacity that is too small; length
 * is set then, too), DATA (borrowed arrays were changed), FORMAT (a damaged mapped file), IO (a truncated one),
 * MEMORY; all of them leave columns and values untouched. */
VTEMPER_API vtemper_status vtemper_data_row(const vtemper_data* data, int64_t row, int64_t* columns, double* values,
                                            int64_t capacity, int64_t* length);

/** Names the columns (the vocabulary).
 *  @param names  [count] distinct, not empty, valid UTF-8; count = columns; copied
 *  Errors: ARGUMENT, DATA (a repeated or invalid name), STATE (an optimizer is running on the data), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_set_names(vtemper_data* data, const char* const* names, int64_t count);
/** Name of a column (from 0), owned by the handle until names are replaced; "" without names. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_name(const vtemper_data* data, int64_t column, const char** name);

/** New data whose columns are the reference vocabulary, in its order; tokens of words outside it are dropped and
 *  counted. Row order and weights are kept, empty rows stay.
 *  @param names           [count] reference names   @param unknown_tokens receives the dropped tokens; may be NULL
 *  Symbols of sequences are not dropped: one outside the reference names is refused.
 *  Errors: ARGUMENT, STATE when the data have no names, UNSUPPORTED for dense data, DATA, IO, FORMAT, MEMORY. */
VTEMPER_API vtemper_status vtemper_data_align(const vtemper_data* data, const char* const* names, int64_t count,
                                              double* unknown_tokens, vtemper_data** aligned);

/** Weights of the rows, 1 unless set: a row of weight 2 counts as two. [count = rows], finite, >= 0. Copied. Steps of
 *  an optimizer on the data follow them, also after convergence; priors and temperatures chosen before stay.
 *  Errors: ARGUMENT, DATA, STATE (an optimizer is running on the data), MEMORY; of reading them: also FORMAT, IO. */
VTEMPER_API vtemper_status vtemper_data_set_weights(vtemper_data* data, const double* weights, int64_t count);
VTEMPER_API vtemper_status vtemper_data_weights(const vtemper_data* data, double* weights, int64_t count);

/** Texts of the rows, such as the names or dates of documents: selections, splits, alignment and files keep them with
 *  their rows; a fit ignores them. Replaces earlier texts of that field.
 *  @param field  what they are: "name", "date" or another word of a-z, 0-9 and underscore
 *  @param texts  [count = rows] UTF-8, may be empty or repeated; copied. NULL with count 0 removes the field
 *  Errors: ARGUMENT, DATA (not UTF-8), STATE (an optimizer is running on the data), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_set_row_texts(vtemper_data* data, const char* field, const char* const* texts,
                                                      int64_t count);
/** The text of a row (from 0), owned by the handle until the field is replaced; "" where the data have no such field.
 *  Errors: ARGUMENT, FORMAT (a damaged mapped file). */
VTEMPER_API vtemper_status vtemper_data_row_text(const vtemper_data* data, const char* field, int64_t row,
                                                 const char** text);
/** The fields of row texts, counted from 0, owned by the handle until fields change. Errors of both: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_row_field_count(const vtemper_data* data, int32_t* count);
VTEMPER_API vtemper_status vtemper_data_row_field_name(const vtemper_data* data, int32_t index, const char** field);

/** Attaches a note: a text about the data as a whole, such as how it was made from raw text. Selections, splits,
 *  alignment and files keep it. It replaces an earlier note of that name; text NULL removes the note.
 *  Errors: ARGUMENT (an empty name, not UTF-8), STATE (an optimizer is running on the data), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_set_note(vtemper_data* data, const char* name, const char* text);
/** A note, owned by the handle until it is replaced; "" where there is none of that name. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_note(const vtemper_data* data, const char* name, const char** text);
/** The names of the notes, counted from 0, owned by the handle until notes change. Errors of both: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_note_count(const vtemper_data* data, int32_t* count);
VTEMPER_API vtemper_status vtemper_data_note_name(const vtemper_data* data, int32_t index, const char** name);

/** New data from the given rows (from 0; repeats allowed), copied. Errors: ARGUMENT, IO, FORMAT, MEMORY. */
VTEMPER_API vtemper_status vtemper_data_select(const vtemper_data* data, const int64_t* rows, int64_t count,
                                               vtemper_data** selected);

/** The rows first ... first + count - 1 as a new handle, without a copy; of a mapped file they are not read. They
 * keep their numbers: what depends on (seed, row) is the same in the slice as in the whole (split, split_counts,
 * samples of infer and evaluate, perturbed rows). Names, weights, texts and notes are those that the whole has at
 * this call. Errors: ARGUMENT, IO and FORMAT (a mapped file that was truncated or is damaged there), MEMORY. */
VTEMPER_API vtemper_status vtemper_data_slice(const vtemper_data* data, int64_t first, int64_t count,
                                              vtemper_data** slice);

/** Declares that the rows are part of a corpus that is divided over machines: its rows first_row, first_row + 1, ...
 * of corpus_rows (at most 1e12). An optimizer of such data takes steps of the whole corpus, each of which is the sum
 * of the local_steps of all machines: batch_size, rows_total, passes and schedules refer to the whole corpus, a
 * machine uses the rows of the common batch that it has (perhaps none), and all draws are keyed by row numbers in the
 * corpus. So machines with the same options and the same initialised model arrive, within rounding, at the result of
 * one machine with all rows. Where the part was sliced from the corpus, what depends on data (the start of the model,
 *  temperatures) is chosen from the whole corpus; otherwise it must be given. If corpus_rows is the number of rows of
 *  the data, they are no longer a part. Call it before an optimizer is created. Select, split and set_weights drop
 *  the link to the corpus that the part was sliced from; align and split_counts keep the row numbers. Errors:
 *  ARGUMENT, STATE (an optimizer is running on the data). */
VTEMPER_API vtemper_status vtemper_data_set_part(vtemper_data* data, int64_t first_row, int64_t corpus_rows);
/** The first row's number in the corpus the data are part of, and its rows; else 0 and the rows. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_data_part(const vtemper_data* data, int64_t* first_row, int64_t* corpus_rows);

/** Divides the rows into two new handles: round(share * rows) rows, drawn with the seed, go to second, the others to
 *  first, in order. A slice or a part is divided as the split of the whole divides it. 0 < share < 1.
 *  Errors: ARGUMENT, IO, FORMAT, MEMORY. */
VTEMPER_API vtemper_status vtemper_data_split(const vtemper_data* data, double share, uint64_t seed,
                                              vtemper_data** first, vtemper_data** second);

/** Divides the tokens into two new handles with the same rows: of a row's n tokens round(share * n), drawn without
 *  replacement, go to heldout. A row's draw depends on (seed, row) only.
 *  Errors: ARGUMENT, DATA (counts that are not whole), UNSUPPORTED (other forms), IO, FORMAT, MEMORY, CANCELLED. */
VTEMPER_API vtemper_status vtemper_data_split_counts(const vtemper_data* data, double share, uint64_t seed,
                                                     vtemper_data** observed, vtemper_data** heldout);

/** Releases the handle; models and optimizers that use the data keep it alive. */
VTEMPER_API void vtemper_data_destroy(vtemper_data* data);

/* ---- Groups: one corpus on many machines --------------------------------------------------------------------- */

/* A group connects ranks (processes, usually on different machines, or threads), each of which holds part of the rows
 * of one corpus. The host supplies the connection: two functions like MPI_Allreduce and MPI_Alltoallv (libvtemper-mpi
 * has them). Data spread over a group are used like those of one machine, by collective calls: all ranks call
 * vtemper_data_spread, vtemper_optimizer_create, _load, _step, _run and vtemper_model_evaluate with the same options
 * in the same order. Calls without sums over the ranks, such as vtemper_model_infer and vtemper_optimizer_save, are
 * made by each rank on its own. With option exchange=sharded each rank holds a share of lda's topics: infer and both
 * saves are then collective, and what reads all topics is refused (STATE; load the saved file). Monitors run after
 * the same steps on all ranks; one that stops the run stops it everywhere. A collective call that fails on one rank
 * fails on all, with PEER (or CANCELLED) on the others, and changes nothing anywhere. Where ranks differ in options,
 * column names, kind, parameters, version or instruction set, all refuse with the same message, which names the rank
 * and both values. Sums are taken in the order of the ranks: the same number of ranks gives the same bits, and
 * scores (evaluate) have the same bits for any number. */

/** How a reduction combines the values of all ranks, element by element. */
typedef enum vtemper_reduction { VTEMPER_SUM = 1, VTEMPER_MIN = 2, VTEMPER_MAX = 3 } vtemper_reduction;

/** Reduces `values` [count] over all ranks, in place; all get the same result. Runs on the thread that called the
 * library, and must not call it. Returns non-zero if a rank is lost: from then on calls of the group fail (PEER). */
typedef int (*vtemper_reduce)(void* values, int64_t count, vtemper_element type, vtemper_reduction how, void* user);

/** Sends bytes to each rank and receives bytes from each, this one included: `out` holds out_bytes[0] bytes for rank
 * 0, then out_bytes[1] for rank 1, ...; `in` likewise by sender; both counts [ranks]. Otherwise as vtemper_reduce. */
typedef int (*vtemper_exchange)(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes,
                                void* user);

/** Creates a group, without communication. A group can be in one call at a time only (STATE).
 *  @param rank      from 0   @param ranks at most 2^20   @param reduce may be NULL for one rank, like exchange
 *  @param release   called once, with user, when nothing uses the group any more, but not if this call fails; or NULL
 *  Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_group_create(int32_t rank, int32_t ranks, vtemper_reduce reduce,
                                                vtemper_exchange exchange, vtemper_release release, void* user,
                                                vtemper_group** group);
/** Another handle of the same group, to be destroyed as well. Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_group_share(const vtemper_group* group, vtemper_group** same);
/** Releases the handle; other handles, and data spread over the group, keep it alive. */
VTEMPER_API void vtemper_group_destroy(vtemper_group* group);
/** This rank's number, and the number of ranks. Either may be NULL. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_group_rank(const vtemper_group* group, int32_t* rank, int32_t* ranks);

/** Spreads a corpus over the group: rows of rank 0 first, then those of rank 1, ... Collective. The handle holds this
 * rank's rows; vtemper_data_part gives their place in the corpus. batch_size, rows_total, passes, schedules and start
 * refer to the whole corpus (what is chosen from data is chosen from at most 20,000 rows, evenly spaced); time and
 * deadline are rank 0's. Only method tempering depends on how the rows are divided; option restarts is refused. Align
 * and split_counts keep data spread; select, split and slice give rows of this rank alone.
 *  @param own     rows of this rank, perhaps none; counts and sequences without names get the most columns of a rank
 *  Errors: ARGUMENT, DATA (other names, no rows at all), STATE (a part or spread already), PEER, MEMORY. */
VTEMPER_API vtemper_status vtemper_data_spread(const vtemper_data* own, vtemper_group* group, vtemper_data** spread);

/* ---- Model -------------------------------------------------------------------------------------------------- */

/** Creates a model.
 *  @param kind     such as "lda"; see vtemper_model_kind_name
 *  @param options  options of that kind, or NULL for the defaults; copied
 *  Errors: ARGUMENT (unknown kind), OPTION, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_create(const char* kind, const vtemper_options* options,
                                                vtemper_model** model);
/** An independent copy: the same options and parameters. Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_copy(const vtemper_model* model, vtemper_model** copy);
/** Releases the handle; an optimizer that fits the model keeps it alive. */
VTEMPER_API void vtemper_model_destroy(vtemper_model* model);
/** The model's kind. Static text; NULL for a NULL handle. */
VTEMPER_API const char* vtemper_model_kind(const vtemper_model* model);

/** The option as set, or its default, as text ("auto" where it follows from other settings); valid until the model is
 * initialised or destroyed. Files of the model keep this text, so the next fit chooses anew what is "auto";
 * vtemper_model_used_options gives what was chosen. Errors: OPTION. */
VTEMPER_API vtemper_status vtemper_model_option(const vtemper_model* model, const char* name, const char** text);

/** All options of the model with the values in use: where vtemper_model_option says "auto", the value that was chosen
 * from the other options, the data or the fit. A value stays "auto" until it is known: until the model is
 * initialised, or until the first step of a fit that chooses it.
 *  @param options  receives a new set, owned by the caller; with it and vtemper_optimizer_used_options' set
 *                  a fit to the same data repeats bit for bit   Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_used_options(const vtemper_model* model, vtemper_options** options);

/** Sizes the parameters for the data and draws the start. Creating an optimizer does this if it has not been done.
 * The model keeps the data's column names. Errors: DATA, UNSUPPORTED, STATE (an optimizer is running, or holds the
 * model for another number of columns), IO, FORMAT, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_initialize(vtemper_model* model, const vtemper_data* data, uint64_t seed);
/** Columns (words) the model was initialised for; 0 before. */
VTEMPER_API vtemper_status vtemper_model_columns(const vtemper_model* model, int64_t* columns);
/** Name of a column (from 0), owned by the handle; "" where there are none. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_model_name(const vtemper_model* model, int64_t column, const char** name);

/** Named parameters; their shapes are known after initialisation. Errors of both: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_model_parameter_count(const vtemper_model* model, int32_t* count);
VTEMPER_API vtemper_status vtemper_model_parameter_info(const vtemper_model* model, int32_t index,
                                                        vtemper_quantity* info);

/** Reads a parameter, row-major. @param length elements in out; must be the parameter's size.
 *  Errors: ARGUMENT, STATE before initialisation, NUMERIC (a number that is not finite; out is written even so). */
VTEMPER_API vtemper_status vtemper_model_get(const vtemper_model* model, const char* name, double* out,
                                             int64_t length);
/** The same with element (i, j) written at out[i * row_stride + j * column_stride]; strides >= 1, and no two elements
 * share a place; of element (a, b, c), i is a * shape[1] + b. `length` counts elements, not the array around them. */
VTEMPER_API vtemper_status vtemper_model_get_strided(const vtemper_model* model, const char* name, double* out,
                                                     int64_t length, int64_t row_stride, int64_t column_stride);
/** Writes a settable parameter, row-major; refused as a whole when any value lies outside its domain.
 *  Errors: ARGUMENT, DATA, STATE. */
VTEMPER_API vtemper_status vtemper_model_set(vtemper_model* model, const char* name, const double* in,
                                             int64_t length);

/** What vtemper_model_infer gives for these rows: names and shapes, which depend on the data. Errors of both:
 * ARGUMENT, DATA (data that the model does not accept), STATE before initialisation, IO, UNSUPPORTED. */
VTEMPER_API vtemper_status vtemper_model_infer_count(const vtemper_model* model, const vtemper_data* data,
                                                     int32_t* count);
VTEMPER_API vtemper_status vtemper_model_infer_info(const vtemper_model* model, const vtemper_data* data,
                                                    int32_t index, vtemper_quantity* info);

/** Local posteriors of the given rows at temperature 1, row-major; for lda: "gamma" or "proportions" [rows x topics];
 *  for hidden_markov: "marginals" [symbols x states], "path" [symbols], "log_likelihood" [rows]; for gaussian_mixture
 *  and bernoulli_mixture: "responsibilities" [rows x components], "log_density" [rows], "completed" [rows x columns]
 *  (the rows, with missing values replaced by their expectation given the others); for sigmoid_belief_network:
 *  "latent_mean" [rows x units of all layers]; for variational_autoencoder: "latent_mean", "latent_deviation" [rows x
 *  latent], "reconstruction" [rows x columns]; for deep_exponential_family: "latent_mean" [rows x latent]; for
 *  factorial_mixture: "activations" [rows x components] (probabilities that the components take part in the row).
 *  @param options  subject "evaluate", or NULL
 *  Errors: ARGUMENT, OPTION, DATA (other columns than the model's), STATE, MEMORY. After FORMAT (a mapped file proved
 * damaged) or CANCELLED the rows before it are written, after NUMERIC (a number that is not finite) all rows. */
VTEMPER_API vtemper_status vtemper_model_infer(const vtemper_model* model, const vtemper_data* data,
                                               const char* quantity, const vtemper_options* options, double* out,
                                               int64_t length);
VTEMPER_API vtemper_status vtemper_model_infer_strided(const vtemper_model* model, const vtemper_data* data,
                                                       const char* quantity, const vtemper_options* options,
                                                       double* out, int64_t length, int64_t row_stride,
                                                       int64_t column_stride);

/** Scores data at temperature 1, with the same bits for any number of ranks (unless topics are sharded).
 *  @param observed  rows from which the local posterior is inferred, or the reference documents of a coherence; NULL
 *                   is allowed for topic_diversity and exclusivity
 *  @param heldout   held-out tokens of the same rows, or NULL: the library then splits each row's tokens itself
 *                   (options heldout_share and seed); always NULL for models that score whole rows
 *  @param measure   "predictive": mean held-out log probability per token in nats (document completion, Hoffman et
 *                   al. 2013), also for deep_exponential_family; for hidden_markov the mean log probability per
 *                   symbol under the posterior means; for gaussian_mixture and bernoulli_mixture the mean log
 *                   density of a row under the posterior predictive (missing values are not scored); for
 *                   factorial_mixture that of a value given the other half of its row, under a normal of that mean
 *                   and variance; for the networks the mean of log_marginal over the rows. Rows count by the weights
 *                   of observed. "perplexity": exp(-predictive), but not for the networks. "elbo": of observed, at
 *                   temperature 1. A measure of vtemper_model_evaluate_topics: its mean over the topics that have a
 *                   score (DATA when none has). For the networks and deep_exponential_family also "log_marginal"
 *                   (sum over the rows of the log probability, by importance sampling with option samples; never
 *                   below a sampled elbo of the same samples) and "active_units" (units whose posterior mean varies
 *                   over the rows). For variational_autoencoder also "dead_units" (share of the encoder's hidden
 *                   units that are off, over rows and units), "dead_units.encoder.l" and "dead_units.decoder.l" (the
 *                   same of hidden layer l). For kinds with conjugate updates also "log_normalizer": log C(T) of the
 *                   tempered model for as many rows and tokens as observed has, at option temperature
 *  Errors: ARGUMENT, OPTION, DATA, STATE, UNSUPPORTED (topics of a kind without words), NUMERIC (a score that is not
 *  finite), IO, FORMAT, MEMORY, CANCELLED. */
VTEMPER_API vtemper_status vtemper_model_evaluate(const vtemper_model* model, const vtemper_data* observed,
                                                  const vtemper_data* heldout, const char* measure,
                                                  const vtemper_options* options, double* out);

/** Scores each topic by its n most probable words w_1 ... w_n, best first; n is option top_words.
 *  @param reference  documents in which words are counted, with the model's columns; read in one pass (mapped data as
 *                    well). NULL for topic_diversity and exclusivity
 *  @param measure    "coherence_umass": mean over the pairs l < m of log (D(w_m, w_l) + 1) / D(w_l), where D is the
 *  number of documents (rows, by weight) that contain the word or both words (Mimno et al. 2011; 1 is their
 * smoothing); "coherence_npmi": mean over the pairs of log(p_lm / (p_l p_m)) / -log p_lm, where p are shares of the
 * documents (Bouma 2009; Roeder et al. 2015), without smoothing: -1 for words that never occur together, 1 for words
 * that all documents contain; "topic_diversity": mean over the words of 1 / the number of topics that have it among
 * their n; its mean over the topics is the share of distinct words (Dieng et al. 2020); "exclusivity": mean over the
 * words of the word's probability over the sum of its probabilities under all topics (Bischof and Airoldi 2012).
 * Coherences leave out pairs with a word that no reference document contains; a topic without any other pair gets NaN
 *  @param options    subject "evaluate", or NULL   @param length number of topics
 *  Errors: ARGUMENT, OPTION, DATA (other columns than the model's), STATE, UNSUPPORTED (a kind without words), IO,
 *  FORMAT (a mapped file is damaged), MEMORY, CANCELLED. */
VTEMPER_API vtemper_status vtemper_model_evaluate_topics(const vtemper_model* model, const vtemper_data* reference,
                                                         const char* measure, const vtemper_options* options,
                                                         double* out, int64_t length);

/** The n highest-ranked words of a topic, best first.
 *  @param how  "probability"; "lift": probability over the word's overall probability; "relevance": 0.6 of the log
 *              probability + 0.4 of the log lift; "relevance:0.3" sets the weight lambda in [0, 1] of the log
 *              probability (Sievert and Shirley 2014); "frex": harmonic mean of the within-topic ranks of
 *              exclusivity and frequency, both at weight 0.5; "frex:0.7" sets the weight of exclusivity in [0, 1]
 *              (Bischof and Airoldi 2012); "label": the words that distinguish a topic from all others: p ((1 - w)
 *              log(p / overall) + w log(p / rival)), where p is the probability, overall that over all topics, rival
 *              the largest under another topic, and w = 0.5; "label:0.8" sets w in [0, 1]. One topic: probability
 *  @param indices  [n] columns   @param scores [n], or NULL
 *  Errors: ARGUMENT, STATE, UNSUPPORTED (a kind without words), MEMORY. */
VTEMPER_API vtemper_status vtemper_model_rank_words(const vtemper_model* model, int64_t topic, const char* how,
                                                    int64_t n, int64_t* indices, double* scores);
/** The same for all topics at once, at little more than the cost of one. indices, scores: [topics x n]. */
VTEMPER_API vtemper_status vtemper_model_rank_all_words(const vtemper_model* model, const char* how, int64_t n,
                                                        int64_t* indices, double* scores);

/** Map of the topics: points whose distances approximate those of the topics' word probabilities, by classical
 * scaling (Torgerson 1952). Above about 6e8 / topics^2 words (at least 200) the rarer ones count as one word.
 *  @param by      "distance": sqrt(JS), JS(p, q) = H((p + q) / 2) - (H(p) + H(q)) / 2 in nats; "divergence": JS
 *  @param places  [topics x 2]: x is the direction of larger spread   @param length 2 * topics
 *  Errors: ARGUMENT, STATE, UNSUPPORTED (a kind without words), MEMORY, CANCELLED (vtemper_set_interrupt). */
VTEMPER_API vtemper_status vtemper_model_topic_map(const vtemper_model* model, const char* by, double* places,
                                                   int64_t length);

/** Attaches a note: a text that is saved and copied with the model but is not part of it, such as how it was fitted.
 *  It replaces an earlier note of that name; text NULL removes the note. Checkpoints do not hold notes.
 *  Errors: ARGUMENT (an empty name, not UTF-8), STATE (an optimizer is running), MEMORY. */
VTEMPER_API vtemper_status vtemper_model_set_note(vtemper_model* model, const char* name, const char* text);
/** A note, owned by the handle until it is replaced; "" where there is none of that name. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_model_note(const vtemper_model* model, const char* name, const char** text);
/** The names of the notes, counted from 0, owned by the handle until notes change. Errors of both: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_model_note_count(const vtemper_model* model, int32_t* count);
VTEMPER_API vtemper_status vtemper_model_note_name(const vtemper_model* model, int32_t index, const char** name);

/** Model file, safetensors layout. At any moment, even after a loss of power, the path holds either the old file or
 * the new one, complete; after OK, the new one. Where an IO error says so, the new file is there but a loss of power
 * may bring back the old one. What could not be loaded again is not written (NUMERIC). Errors: IO, FORMAT, STATE,
 * NUMERIC, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_save(const vtemper_model* model, const char* path);
VTEMPER_API vtemper_status vtemper_model_load(const char* path, vtemper_model** model);

/** The bytes of the file in memory.
 *  @param buffer  [capacity] bytes, or NULL to ask for the size only   @param size receives the bytes needed
 *  Errors: ARGUMENT when capacity is too small (size is set even then), STATE before initialisation, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_save_buffer(const vtemper_model* model, void* buffer, int64_t capacity,
                                                     int64_t* size);
/** A model from the bytes of a file, which may be freed after the call. Errors: ARGUMENT, FORMAT, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_load_buffer(const void* buffer, int64_t size, vtemper_model** model);

/* ---- Optimizer ---------------------------------------------------------------------------------------------- */

/** What ended a run. Values are never reused. */
typedef enum vtemper_ending {
  VTEMPER_ENDING_NONE = 0,      /**< it has not ended */
  VTEMPER_ENDING_CONVERGED = 1, /**< the tolerance was met at T = 1 */
  VTEMPER_ENDING_LENGTH = 2,    /**< max_passes or max_iterations was reached */
  VTEMPER_ENDING_TIME = 3,      /**< the time set by option time was used up */
  VTEMPER_ENDING_DEADLINE = 4,  /**< the deadline was reached */
  VTEMPER_ENDING_CANCELLED = 5  /**< monitor or interrupt ended it; the next step continues it */
} vtemper_ending;

/** What a step reports. Numbers that were not asked for or do not exist are NaN. Bounds are in nats. elbo, objective
 * and expected_log_likelihood belong to the parameters before the step; what is read from the model afterwards
 * belongs to those after it. In objective, entropies have weight 1 at every temperature, so under entropy annealing
 * it is (E log p + T H) / T; at T = 1 it is elbo (for multi_sample its own bound). */
typedef struct vtemper_report {
  size_t struct_size;
  int64_t iteration;              /**< steps done; with several starts, by the one reported (the best so far) */
  int64_t rows_seen;              /**< rows processed, likewise */
  double passes;                  /**< rows_seen / rows of the data, or rows_total where rows are fed */
  double elbo;                    /**< at T = 1, with the step's posteriors of its rows, scaled to all rows */
  double objective;               /**< what the method maximises, scaled likewise */
  double expected_log_likelihood; /**< E_q log p(x, z | global), in gradient kinds log p(x | z), of all rows */
  double temperature;             /**< 1 / inverse_temperature */
  double inverse_temperature;     /**< E[1/T] */
  double step_size;               /**< rho; the learning rate of kinds fitted by gradients */
  double perturbation;            /**< share of the perturbation; 0 without */
  double proximity;               /**< magnitude of the proximity constraint; 0 without */
  double change;                  /**< relative change of the global parameters in this step */
  double seconds;                 /**< time spent in steps, of all starts and of sessions before a resumed run */
  int32_t converged;              /**< 1 once the tolerance is met at T = 1 */
  int32_t finished;               /**< 1 once max_passes, max_iterations, time or deadline is reached, or converged */
  int64_t objective_falls;        /**< times that objective fell between full-batch steps at one temperature */
  int64_t empty_rows;             /**< rows without entries so far in this pass */
  int64_t unused_components;      /**< components with less than half a token (in this step's statistics); latent
                                     units that are not active (on the last report's rows) */
  int64_t duplicate_components;   /**< components that repeat another; 0 unless counted (see elbo_every) */
  int32_t ending;                 /**< a vtemper_ending */
  int32_t settled;                /**< 1 if this step was at T = 1 without perturbation and, in a conjugate run of
                                     steps over all rows, which looks for convergence, has converged; a run that
                                     ends with settled 0 leaves parameters that are not those of a fitted model */
  int64_t ranks;                  /**< ranks that share the steps; 1 where the data are not spread over a group */
  double seconds_waiting;         /**< spent by this rank in the group's functions, since the optimizer was created */
  int64_t bytes_sent;             /**< by this rank to others in vtemper_exchange, likewise */
} vtemper_report;

/** Called between steps, on the thread that called step or run. May call functions that take const handles; any other
 *  call on the running handles returns STATE. Non-zero stops the run (CANCELLED) after a complete step. */
typedef int (*vtemper_monitor)(const vtemper_report* report, void* user);

/** A message of a handle: level 1 note, 2 warning; one sentence. May call what a monitor may call. */
typedef void (*vtemper_message)(int32_t level, const char* text, void* user);

/** Approximate number of bytes that a fit of the model to the data will take, before any is allocated: the
 * optimizer's quantity "memory". The model need not be initialised. Topics of lda that option parameters_folder keeps
 * in a file are not counted.
 *  @param options  subject "optimizer", or NULL for the defaults   @param bytes receives the number; 0 if unknown
 * Errors: ARGUMENT, OPTION, UNSUPPORTED, DATA, MEMORY. */
VTEMPER_API vtemper_status vtemper_model_fit_memory(const vtemper_model* model, const vtemper_data* data,
                                                    const vtemper_options* options, double* bytes);

/** Creates an optimizer; initialises the model if that has not been done (which needs data).
 *  @param data     what to fit, or NULL when rows are fed; kept alive
 *  @param options  subject "optimizer", or NULL for the defaults; copied
 *  Errors: OPTION, UNSUPPORTED (both sides are named), DATA, STATE, MEMORY; CANCELLED (the caller's interrupt, or
 *  option deadline, came while the model was being initialised; it then remains uninitialised). */
VTEMPER_API vtemper_status vtemper_optimizer_create(vtemper_model* model, const vtemper_data* data,
                                                    const vtemper_options* options, vtemper_optimizer** optimizer);
/** If a monitor of the same handle calls it, it takes effect after the run has returned. */
VTEMPER_API void vtemper_optimizer_destroy(vtemper_optimizer* optimizer);

/** A new handle of the model that this optimizer fits: the same model, not a copy. Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_optimizer_model(const vtemper_optimizer* optimizer, vtemper_model** model);

/** The option as set, or its default, as text ("auto" where it follows from other settings: the option's description
 * says how); owned by the handle. Of several starts: that of the best one, once it is chosen. Errors: OPTION. */
VTEMPER_API vtemper_status vtemper_optimizer_option(const vtemper_optimizer* optimizer, const char* name,
                                                    const char** text);

/** All options of the run with the values in use: where vtemper_optimizer_option says "auto", or 0 where that means a
 * rule, the value that was chosen, such as the start temperature or the number of steps. A value stays "auto" until
 * it is known, at the first step. With several starts: those of the best one, once it is chosen, with restarts 1.
 *  @param options  receives a new set, owned by the caller. Given to vtemper_optimizer_create, all of them repeat the
 *                  run bit for bit, except runs with option time, which depend on the clock
 * Errors: ARGUMENT, MEMORY. */
VTEMPER_API vtemper_status vtemper_optimizer_used_options(const vtemper_optimizer* optimizer,
                                                          vtemper_options** options);

/** Takes `steps` (>= 0) steps, each completely or not at all, even beyond the end of the run. A step that would take
 * a parameter out of its domain fails with NUMERIC and leaves the state before that step.
 *  @param report  of the last complete step, written for OK and CANCELLED; may be NULL. After any other failure
 *                 vtemper_optimizer_report says how many steps were done
 * Errors: ARGUMENT, STATE (created without data, or running), DATA (all weights are 0), NUMERIC, FORMAT (a damaged
 * mapped file), IO, MEMORY; CANCELLED. */
VTEMPER_API vtemper_status vtemper_optimizer_step(vtemper_optimizer* optimizer, int64_t steps,
                                                  vtemper_report* report);

/** Steps until converged, max_passes, max_iterations, time or deadline is reached, or the monitor stops it. A run
 * that ends unsettled (see vtemper_report) says so in a message and in its model's note "ending", which the library
 * removes once the model has settled. Report and errors as for step. */
VTEMPER_API vtemper_status vtemper_optimizer_run(vtemper_optimizer* optimizer, vtemper_report* report);

/** One step on the rows of this call; needs option rows_total unless the optimizer has data. The same rows in other
 *  chunks make another run: the bits depend on which rows are fed together. Kinds that keep a posterior for each row
 *  of their data (deep_exponential_family, factorial_mixture with updates gradient) fit those of fed rows anew.
 * Report and errors as for step, DATA (other columns than the model's), and UNSUPPORTED (several starts, option time;
 * except for the optimizer's own data also step_size full, or a proximity constraint on posteriors that are kept). */
VTEMPER_API vtemper_status vtemper_optimizer_feed(vtemper_optimizer* optimizer, const vtemper_data* batch,
                                                  vtemper_report* report);

/** The report of the last complete step. Errors: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_optimizer_report(const vtemper_optimizer* optimizer, vtemper_report* report);

/** NULL removes the monitor. It is called every report_every steps and at least every 0.2 seconds, between steps. */
VTEMPER_API vtemper_status vtemper_optimizer_set_monitor(vtemper_optimizer* optimizer, vtemper_monitor monitor,
                                                         void* user);
/** NULL removes the function. */
VTEMPER_API vtemper_status vtemper_optimizer_set_messages(vtemper_optimizer* optimizer, vtemper_message message,
                                                          void* user);

/** Traces ("trace.iteration", "trace.temperature", ...) and the state of the parts ("temperature.weights", ...).
 * Global and local "temperature.log_normalizer" are log C(T_m) of all rows together, in nats.
 * Errors: ARGUMENT, STATE (running); set: also DATA (a value out of its domain), UNSUPPORTED (several starts). */
VTEMPER_API vtemper_status vtemper_optimizer_quantity_count(const vtemper_optimizer* optimizer, int32_t* count);
VTEMPER_API vtemper_status vtemper_optimizer_quantity_info(const vtemper_optimizer* optimizer, int32_t index,
                                                           vtemper_quantity* info);
VTEMPER_API vtemper_status vtemper_optimizer_get(const vtemper_optimizer* optimizer, const char* name, double* out,
                                                 int64_t length);
VTEMPER_API vtemper_status vtemper_optimizer_get_strided(const vtemper_optimizer* optimizer, const char* name,
                                                         double* out, int64_t length, int64_t row_stride,
                                                         int64_t column_stride);
VTEMPER_API vtemper_status vtemper_optimizer_set(vtemper_optimizer* optimizer, const char* name, const double* in,
                                                 int64_t length);

/** The two halves of a step, for sums over machines: local_step gives the additive statistics of this machine's rows,
 *  global_step takes their sum over the machines. One after the other, the parameters equal those of step (batch
 *  NULL: the next own batch) or feed, bit for bit. Only global_step changes parameters and clock. Machines with data
 *  of their own declare which part of the corpus they have (vtemper_data_set_part); machines that are fed call
 *  local_step_at. What one machine would choose from its own rows or clock (option deadline; temperature_start,
 *  proximity_magnitude and numbers of tokens if set from the first rows) is refused once the sum includes rows of
 *  others. Errors: DATA for statistics that cannot be a sum, or not of as many rows as the step has on all machines;
 *  those of feed; OPTION. */
VTEMPER_API vtemper_status vtemper_optimizer_statistics_length(const vtemper_optimizer* optimizer, int64_t* length);
VTEMPER_API vtemper_status vtemper_optimizer_local_step(vtemper_optimizer* optimizer, const vtemper_data* batch,
                                                        double* statistics, int64_t length);
VTEMPER_API vtemper_status vtemper_optimizer_global_step(vtemper_optimizer* optimizer, const double* statistics,
                                                         int64_t length, vtemper_report* report);

/** The same for fed rows where other machines have the rest of the step's rows, and in single precision where the
 * model computes in it: half the bytes, every sum rounded to 24 bits (counts of rows are exact up to 2^24).
 *  @param batch            as for local_step
 *  @param first_place      place of the batch's first row among the rows of the step; 0 with batch NULL. Draws are
 *                          keyed by it, so no two machines draw the same numbers
 *  @param step_rows        rows of the step on all machines, at most 2^31 - 1; 0 with batch NULL
 *  @param statistics       [length], written   @param statistics_type VTEMPER_FLOAT or VTEMPER_DOUBLE
 *  Errors: as for local_step; ARGUMENT for places beyond the step; STATE for a batch of an optimizer that has data;
 *  NUMERIC for sums beyond the range of single precision. */
VTEMPER_API vtemper_status vtemper_optimizer_local_step_at(vtemper_optimizer* optimizer, const vtemper_data* batch,
                                                           int64_t first_place, int64_t step_rows, void* statistics,
                                                           vtemper_element statistics_type, int64_t length);
/** global_step for statistics of type FLOAT or DOUBLE. Errors: as there. */
VTEMPER_API vtemper_status vtemper_optimizer_global_step_of(vtemper_optimizer* optimizer, const void* statistics,
                                                            vtemper_element statistics_type, int64_t length,
                                                            vtemper_report* report);

/** The layout of the statistics: arrays stored one after another, row-major, in the order of their index; their sizes
 * add up to statistics_length. First come the sums over the rows of the step ("sums.rows", ...), one number each,
 * then what the method measures, then the arrays of the model, such as lda's "words" [words x topics]. All are
 * additive. Errors of both: ARGUMENT. */
VTEMPER_API vtemper_status vtemper_optimizer_statistics_count(const vtemper_optimizer* optimizer, int32_t* count);
VTEMPER_API vtemper_status vtemper_optimizer_statistics_info(const vtemper_optimizer* optimizer, int32_t index,
                                                             vtemper_quantity* info);

/** Checkpoint of optimizer and model, written completely or not at all; a resumed run continues bit for bit on the
 * same instruction set. It does not contain data, monitor and message function. For data spread over a group the file
 * of one rank is enough: any number of ranks can resume from it. The posteriors that some kinds keep for each row are
 * then not in it, and are inferred anew. Errors: ARGUMENT, IO, NUMERIC (what could not be loaded again), UNSUPPORTED
 * (a proximity constraint on posteriors of rows that are spread over ranks), MEMORY. */
VTEMPER_API vtemper_status vtemper_optimizer_save(const vtemper_optimizer* optimizer, const char* path);
/** Loads the model too: vtemper_optimizer_model. Errors: ARGUMENT, IO, FORMAT, DATA (other data), MEMORY.
 *  @param data  the data of the saved optimizer, or NULL when rows are fed; must be NULL if they were fed before */
VTEMPER_API vtemper_status vtemper_optimizer_load(const char* path, const vtemper_data* data,
                                                  vtemper_optimizer** optimizer);
/** The kind of the model in a checkpoint: its form is that of the data. Static text. Errors: ARGUMENT, IO, FORMAT. */
VTEMPER_API vtemper_status vtemper_checkpoint_kind(const char* path, const char** kind);
/** The same bytes in memory, as vtemper_model_save_buffer and vtemper_model_load_buffer. */
VTEMPER_API vtemper_status vtemper_optimizer_save_buffer(const vtemper_optimizer* optimizer, void* buffer,
                                                         int64_t capacity, int64_t* size);
VTEMPER_API vtemper_status vtemper_optimizer_load_buffer(const void* buffer, int64_t size, const vtemper_data* data,
                                                         vtemper_optimizer** optimizer);

#ifdef __cplusplus
}
#endif

#endif /* VTEMPER_VTEMPER_H */
