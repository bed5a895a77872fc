"""Constants, structs and functions of the C interface.

Written by tools/generate.py: change that, or the header, and run it again.
"""

from ctypes import Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Dict, Sequence, Tuple

# The version this file belongs to: major * 1000000 + minor * 1000 + patch.
VERSION_NUMBER = 1000

# vtemper_status
OK = 0
ERROR_ARGUMENT = 1
ERROR_OPTION = 2
ERROR_DATA = 3
ERROR_STATE = 4
ERROR_MEMORY = 5
ERROR_IO = 6
ERROR_FORMAT = 7
ERROR_NUMERIC = 8
ERROR_UNSUPPORTED = 9
ERROR_INTERNAL = 10
ERROR_PEER = 11
CANCELLED = 20

# vtemper_data_form
COUNTS = 1
DENSE = 2
SEQUENCES = 3

# vtemper_option_type
OPTION_INTEGER = 1
OPTION_REAL = 2
OPTION_REALS = 3
OPTION_CHOICE = 4
OPTION_BOOLEAN = 5
OPTION_TEXT = 6

# vtemper_element
INT32 = 1
INT64 = 2
FLOAT = 3
DOUBLE = 4

# vtemper_layout
BY_ROWS = 1
BY_COLUMNS = 2

# vtemper_ownership
COPY = 1
BORROW = 2

# vtemper_reduction
SUM = 1
MIN = 2
MAX = 3

# vtemper_ending
ENDING_NONE = 0
ENDING_CONVERGED = 1
ENDING_LENGTH = 2
ENDING_TIME = 3
ENDING_DEADLINE = 4
ENDING_CANCELLED = 5


class Option(Structure):
    """The C struct vtemper_option."""

    struct_size: int
    type: int
    name: bytes
    default_text: bytes
    minimum: float
    maximum: float
    choices: bytes
    description: bytes

    _fields_ = [("struct_size", c_size_t),
                ("type", c_int32),
                ("name", c_char_p),
                ("default_text", c_char_p),
                ("minimum", c_double),
                ("maximum", c_double),
                ("choices", c_char_p),
                ("description", c_char_p)]


class Quantity(Structure):
    """The C struct vtemper_quantity."""

    struct_size: int
    name: bytes
    rank: int
    settable: int
    shape: Sequence[int]
    description: bytes

    _fields_ = [("struct_size", c_size_t),
                ("name", c_char_p),
                ("rank", c_int32),
                ("settable", c_int32),
                ("shape", c_int64 * 4),
                ("description", c_char_p)]


class Report(Structure):
    """The C struct vtemper_report."""

    struct_size: int
    iteration: int
    rows_seen: int
    passes: float
    elbo: float
    objective: float
    expected_log_likelihood: float
    temperature: float
    inverse_temperature: float
    step_size: float
    perturbation: float
    proximity: float
    change: float
    seconds: float
    converged: int
    finished: int
    objective_falls: int
    empty_rows: int
    unused_components: int
    duplicate_components: int
    ending: int
    settled: int
    ranks: int
    seconds_waiting: float
    bytes_sent: int

    _fields_ = [("struct_size", c_size_t),
                ("iteration", c_int64),
                ("rows_seen", c_int64),
                ("passes", c_double),
                ("elbo", c_double),
                ("objective", c_double),
                ("expected_log_likelihood", c_double),
                ("temperature", c_double),
                ("inverse_temperature", c_double),
                ("step_size", c_double),
                ("perturbation", c_double),
                ("proximity", c_double),
                ("change", c_double),
                ("seconds", c_double),
                ("converged", c_int32),
                ("finished", c_int32),
                ("objective_falls", c_int64),
                ("empty_rows", c_int64),
                ("unused_components", c_int64),
                ("duplicate_components", c_int64),
                ("ending", c_int32),
                ("settled", c_int32),
                ("ranks", c_int64),
                ("seconds_waiting", c_double),
                ("bytes_sent", c_int64)]


# Result and arguments of every function.
FUNCTIONS: Dict[str, Tuple[Any, Dict[str, Any]]] = {
    "version": (c_char_p, {}),
    "version_number": (c_int32, {}),
    "build_info": (c_char_p, {}),
    "last_error": (c_char_p, {}),
    "status_name": (c_char_p, {"status": c_int}),
    "set_interrupt": (None, {"interrupt": c_void_p, "user": c_void_p}),
    "model_kind_count": (c_int32, {}),
    "model_kind_name": (c_char_p, {"index": c_int32}),
    "model_kind_description": (c_char_p, {"index": c_int32}),
    "model_kind_form": (c_int, {"kind": c_char_p, "form": c_void_p}),
    "option_count": (c_int, {"subject": c_char_p, "count": c_void_p}),
    "option_info": (c_int, {"subject": c_char_p, "index": c_int32, "info": c_void_p}),
    "options_create": (c_int, {"options": c_void_p}),
    "options_copy": (c_int, {"options": c_void_p, "copy": c_void_p}),
    "options_destroy": (None, {"options": c_void_p}),
    "options_set": (c_int, {"options": c_void_p, "name": c_char_p, "text": c_char_p}),
    "options_set_text": (c_int, {"options": c_void_p, "name": c_char_p, "text": c_char_p}),
    "options_set_integer": (c_int, {"options": c_void_p, "name": c_char_p, "value": c_int64}),
    "options_set_real": (c_int, {"options": c_void_p, "name": c_char_p, "value": c_double}),
    "options_set_reals": (c_int, {"options": c_void_p, "name": c_char_p, "values": c_void_p, "length": c_int64}),
    "options_get_text": (c_int, {"options": c_void_p, "name": c_char_p, "text": c_void_p}),
    "data_from_counts": (c_int, {"layout": c_int, "rows": c_int64, "columns": c_int64, "offsets": c_void_p, "offsets_type": c_int, "indices": c_void_p, "indices_type": c_int, "values": c_void_p, "values_type": c_int, "index_base": c_int64, "ownership": c_int, "release": c_void_p, "user": c_void_p, "data": c_void_p}),
    "data_from_dense": (c_int, {"rows": c_int64, "columns": c_int64, "values": c_void_p, "values_type": c_int, "row_stride": c_int64, "column_stride": c_int64, "ownership": c_int, "release": c_void_p, "user": c_void_p, "data": c_void_p}),
    "data_from_sequences": (c_int, {"rows": c_int64, "alphabet": c_int64, "offsets": c_void_p, "offsets_type": c_int, "symbols": c_void_p, "symbols_type": c_int, "index_base": c_int64, "ownership": c_int, "release": c_void_p, "user": c_void_p, "data": c_void_p}),
    "data_read": (c_int, {"path": c_char_p, "format": c_char_p, "data": c_void_p}),
    "data_read_part": (c_int, {"path": c_char_p, "format": c_char_p, "part": c_int32, "parts": c_int32, "data": c_void_p}),
    "data_write": (c_int, {"data": c_void_p, "path": c_char_p}),
    "data_convert": (c_int, {"path": c_char_p, "format": c_char_p, "names": c_void_p, "count": c_int64, "out_path": c_char_p}),
    "data_verify": (c_int, {"data": c_void_p}),
    "data_rows": (c_int, {"data": c_void_p, "rows": c_void_p}),
    "data_columns": (c_int, {"data": c_void_p, "columns": c_void_p}),
    "data_entries": (c_int, {"data": c_void_p, "entries": c_void_p}),
    "data_total": (c_int, {"data": c_void_p, "total": c_void_p}),
    "data_form_of": (c_int, {"data": c_void_p, "form": c_void_p}),
    "data_row": (c_int, {"data": c_void_p, "row": c_int64, "columns": c_void_p, "values": c_void_p, "capacity": c_int64, "length": c_void_p}),
    "data_set_names": (c_int, {"data": c_void_p, "names": c_void_p, "count": c_int64}),
    "data_name": (c_int, {"data": c_void_p, "column": c_int64, "name": c_void_p}),
    "data_align": (c_int, {"data": c_void_p, "names": c_void_p, "count": c_int64, "unknown_tokens": c_void_p, "aligned": c_void_p}),
    "data_set_weights": (c_int, {"data": c_void_p, "weights": c_void_p, "count": c_int64}),
    "data_weights": (c_int, {"data": c_void_p, "weights": c_void_p, "count": c_int64}),
    "data_set_row_texts": (c_int, {"data": c_void_p, "field": c_char_p, "texts": c_void_p, "count": c_int64}),
    "data_row_text": (c_int, {"data": c_void_p, "field": c_char_p, "row": c_int64, "text": c_void_p}),
    "data_row_field_count": (c_int, {"data": c_void_p, "count": c_void_p}),
    "data_row_field_name": (c_int, {"data": c_void_p, "index": c_int32, "field": c_void_p}),
    "data_set_note": (c_int, {"data": c_void_p, "name": c_char_p, "text": c_char_p}),
    "data_note": (c_int, {"data": c_void_p, "name": c_char_p, "text": c_void_p}),
    "data_note_count": (c_int, {"data": c_void_p, "count": c_void_p}),
    "data_note_name": (c_int, {"data": c_void_p, "index": c_int32, "name": c_void_p}),
    "data_select": (c_int, {"data": c_void_p, "rows": c_void_p, "count": c_int64, "selected": c_void_p}),
    "data_slice": (c_int, {"data": c_void_p, "first": c_int64, "count": c_int64, "slice": c_void_p}),
    "data_set_part": (c_int, {"data": c_void_p, "first_row": c_int64, "corpus_rows": c_int64}),
    "data_part": (c_int, {"data": c_void_p, "first_row": c_void_p, "corpus_rows": c_void_p}),
    "data_split": (c_int, {"data": c_void_p, "share": c_double, "seed": c_uint64, "first": c_void_p, "second": c_void_p}),
    "data_split_counts": (c_int, {"data": c_void_p, "share": c_double, "seed": c_uint64, "observed": c_void_p, "heldout": c_void_p}),
    "data_destroy": (None, {"data": c_void_p}),
    "group_create": (c_int, {"rank": c_int32, "ranks": c_int32, "reduce": c_void_p, "exchange": c_void_p, "release": c_void_p, "user": c_void_p, "group": c_void_p}),
    "group_share": (c_int, {"group": c_void_p, "same": c_void_p}),
    "group_destroy": (None, {"group": c_void_p}),
    "group_rank": (c_int, {"group": c_void_p, "rank": c_void_p, "ranks": c_void_p}),
    "data_spread": (c_int, {"own": c_void_p, "group": c_void_p, "spread": c_void_p}),
    "model_create": (c_int, {"kind": c_char_p, "options": c_void_p, "model": c_void_p}),
    "model_copy": (c_int, {"model": c_void_p, "copy": c_void_p}),
    "model_destroy": (None, {"model": c_void_p}),
    "model_kind": (c_char_p, {"model": c_void_p}),
    "model_option": (c_int, {"model": c_void_p, "name": c_char_p, "text": c_void_p}),
    "model_used_options": (c_int, {"model": c_void_p, "options": c_void_p}),
    "model_initialize": (c_int, {"model": c_void_p, "data": c_void_p, "seed": c_uint64}),
    "model_columns": (c_int, {"model": c_void_p, "columns": c_void_p}),
    "model_name": (c_int, {"model": c_void_p, "column": c_int64, "name": c_void_p}),
    "model_parameter_count": (c_int, {"model": c_void_p, "count": c_void_p}),
    "model_parameter_info": (c_int, {"model": c_void_p, "index": c_int32, "info": c_void_p}),
    "model_get": (c_int, {"model": c_void_p, "name": c_char_p, "out": c_void_p, "length": c_int64}),
    "model_get_strided": (c_int, {"model": c_void_p, "name": c_char_p, "out": c_void_p, "length": c_int64, "row_stride": c_int64, "column_stride": c_int64}),
    "model_set": (c_int, {"model": c_void_p, "name": c_char_p, "in": c_void_p, "length": c_int64}),
    "model_infer_count": (c_int, {"model": c_void_p, "data": c_void_p, "count": c_void_p}),
    "model_infer_info": (c_int, {"model": c_void_p, "data": c_void_p, "index": c_int32, "info": c_void_p}),
    "model_infer": (c_int, {"model": c_void_p, "data": c_void_p, "quantity": c_char_p, "options": c_void_p, "out": c_void_p, "length": c_int64}),
    "model_infer_strided": (c_int, {"model": c_void_p, "data": c_void_p, "quantity": c_char_p, "options": c_void_p, "out": c_void_p, "length": c_int64, "row_stride": c_int64, "column_stride": c_int64}),
    "model_evaluate": (c_int, {"model": c_void_p, "observed": c_void_p, "heldout": c_void_p, "measure": c_char_p, "options": c_void_p, "out": c_void_p}),
    "model_evaluate_topics": (c_int, {"model": c_void_p, "reference": c_void_p, "measure": c_char_p, "options": c_void_p, "out": c_void_p, "length": c_int64}),
    "model_rank_words": (c_int, {"model": c_void_p, "topic": c_int64, "how": c_char_p, "n": c_int64, "indices": c_void_p, "scores": c_void_p}),
    "model_rank_all_words": (c_int, {"model": c_void_p, "how": c_char_p, "n": c_int64, "indices": c_void_p, "scores": c_void_p}),
    "model_topic_map": (c_int, {"model": c_void_p, "by": c_char_p, "places": c_void_p, "length": c_int64}),
    "model_set_note": (c_int, {"model": c_void_p, "name": c_char_p, "text": c_char_p}),
    "model_note": (c_int, {"model": c_void_p, "name": c_char_p, "text": c_void_p}),
    "model_note_count": (c_int, {"model": c_void_p, "count": c_void_p}),
    "model_note_name": (c_int, {"model": c_void_p, "index": c_int32, "name": c_void_p}),
    "model_save": (c_int, {"model": c_void_p, "path": c_char_p}),
    "model_load": (c_int, {"path": c_char_p, "model": c_void_p}),
    "model_save_buffer": (c_int, {"model": c_void_p, "buffer": c_void_p, "capacity": c_int64, "size": c_void_p}),
    "model_load_buffer": (c_int, {"buffer": c_void_p, "size": c_int64, "model": c_void_p}),
    "model_fit_memory": (c_int, {"model": c_void_p, "data": c_void_p, "options": c_void_p, "bytes": c_void_p}),
    "optimizer_create": (c_int, {"model": c_void_p, "data": c_void_p, "options": c_void_p, "optimizer": c_void_p}),
    "optimizer_destroy": (None, {"optimizer": c_void_p}),
    "optimizer_model": (c_int, {"optimizer": c_void_p, "model": c_void_p}),
    "optimizer_option": (c_int, {"optimizer": c_void_p, "name": c_char_p, "text": c_void_p}),
    "optimizer_used_options": (c_int, {"optimizer": c_void_p, "options": c_void_p}),
    "optimizer_step": (c_int, {"optimizer": c_void_p, "steps": c_int64, "report": c_void_p}),
    "optimizer_run": (c_int, {"optimizer": c_void_p, "report": c_void_p}),
    "optimizer_feed": (c_int, {"optimizer": c_void_p, "batch": c_void_p, "report": c_void_p}),
    "optimizer_report": (c_int, {"optimizer": c_void_p, "report": c_void_p}),
    "optimizer_set_monitor": (c_int, {"optimizer": c_void_p, "monitor": c_void_p, "user": c_void_p}),
    "optimizer_set_messages": (c_int, {"optimizer": c_void_p, "message": c_void_p, "user": c_void_p}),
    "optimizer_quantity_count": (c_int, {"optimizer": c_void_p, "count": c_void_p}),
    "optimizer_quantity_info": (c_int, {"optimizer": c_void_p, "index": c_int32, "info": c_void_p}),
    "optimizer_get": (c_int, {"optimizer": c_void_p, "name": c_char_p, "out": c_void_p, "length": c_int64}),
    "optimizer_get_strided": (c_int, {"optimizer": c_void_p, "name": c_char_p, "out": c_void_p, "length": c_int64, "row_stride": c_int64, "column_stride": c_int64}),
    "optimizer_set": (c_int, {"optimizer": c_void_p, "name": c_char_p, "in": c_void_p, "length": c_int64}),
    "optimizer_statistics_length": (c_int, {"optimizer": c_void_p, "length": c_void_p}),
    "optimizer_local_step": (c_int, {"optimizer": c_void_p, "batch": c_void_p, "statistics": c_void_p, "length": c_int64}),
    "optimizer_global_step": (c_int, {"optimizer": c_void_p, "statistics": c_void_p, "length": c_int64, "report": c_void_p}),
    "optimizer_local_step_at": (c_int, {"optimizer": c_void_p, "batch": c_void_p, "first_place": c_int64, "step_rows": c_int64, "statistics": c_void_p, "statistics_type": c_int, "length": c_int64}),
    "optimizer_global_step_of": (c_int, {"optimizer": c_void_p, "statistics": c_void_p, "statistics_type": c_int, "length": c_int64, "report": c_void_p}),
    "optimizer_statistics_count": (c_int, {"optimizer": c_void_p, "count": c_void_p}),
    "optimizer_statistics_info": (c_int, {"optimizer": c_void_p, "index": c_int32, "info": c_void_p}),
    "optimizer_save": (c_int, {"optimizer": c_void_p, "path": c_char_p}),
    "optimizer_load": (c_int, {"path": c_char_p, "data": c_void_p, "optimizer": c_void_p}),
    "checkpoint_kind": (c_int, {"path": c_char_p, "kind": c_void_p}),
    "optimizer_save_buffer": (c_int, {"optimizer": c_void_p, "buffer": c_void_p, "capacity": c_int64, "size": c_void_p}),
    "optimizer_load_buffer": (c_int, {"buffer": c_void_p, "size": c_int64, "data": c_void_p, "optimizer": c_void_p}),
}
