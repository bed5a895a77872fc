"""Models: parameters, local posteriors, scores, files."""
import ctypes
import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _header
from .arguments import content_bytes, whole_number
from .arrays import reals
from .data import Data, column_names
from .errors import ArgumentError
from .handles import Handle, address
from .library import library
from .options import option_names, option_set, used_options, values_in_use
from .watch import interruptible
from .words import counted


class QuantityInfo(NamedTuple):
    """One named array, as the library describes it."""

    name: str
    shape: Tuple[int, ...]
    settable: bool
    description: str


def quantities(owner: Handle, prefix: str, *arguments: Any) -> List[QuantityInfo]:
    """The arrays that `<prefix>_count` and `<prefix>_info` describe."""
    rows = []
    with owner._kept() as kept:  # the texts last as long as the handle
        for index in range(library.number(prefix + "_count", kept, *arguments, of=ctypes.c_int32)):
            info = _header.Quantity(struct_size=ctypes.sizeof(_header.Quantity))
            library.call(prefix + "_info", kept, *arguments, index, ctypes.byref(info))
            rows.append(QuantityInfo(info.name.decode(), tuple(info.shape[:info.rank]), bool(info.settable),
                                     info.description.decode()))
    return rows


def found(infos: Sequence[QuantityInfo], name: str, what: str) -> QuantityInfo:
    """The array of that name."""
    for info in infos:
        if info.name == name:
            return info
    raise KeyError("there is no %s %r; there are %s" % (what, name, ", ".join(info.name for info in infos)))


# Counted from 0, with -1 for none.
_PLACES = ("path", "duplicate_of")


def filled(shape: Tuple[int, ...], name: str, read: Callable[[int, int], None]) -> Any:
    """The array that `read` writes at an address; one number where the shape is empty."""
    values = np.empty(shape, dtype=np.float64)
    read(address(values), values.size)
    if name in _PLACES:
        return values.astype(np.int64)
    return values if shape else float(values)


class Parameters(Mapping[str, Any]):
    """The parameters of a model by name, as arrays; assignment sets one where the library allows it."""

    def __init__(self, model: "Model") -> None:
        self._model = model
        self._infos = quantities(model, "model_parameter")

    def __len__(self) -> int:
        return len(self._infos)

    def __iter__(self) -> Iterator[str]:
        return iter([info.name for info in self._infos])

    def __getitem__(self, name: str) -> Any:
        info = found(self._infos, name, "parameter")
        return filled(info.shape, name, lambda place, length: library.call("model_get", self._model, name, place, length))

    def __setitem__(self, name: str, values: Any) -> None:
        info = found(self._infos, name, "parameter")
        given = reals(values, "parameter " + name)
        if np.shape(values) != info.shape:
            raise ValueError("parameter %s is of shape %s, not %s" % (name, info.shape, np.shape(values)))
        library.call("model_set", self._model, name, address(given), given.size)

    @property
    def infos(self) -> List[QuantityInfo]:
        """Name, shape, whether it can be set, and a description, of each."""
        return list(self._infos)

    def __repr__(self) -> str:
        return "Parameters(%s)" % ", ".join("%s%s" % (info.name, list(info.shape)) for info in self._infos)


class Model(Handle):
    """A model of the library; the estimators hold one as `model_`.

    Parameters
    ----------
    kind : str
        Such as "lda"; see `kinds`.
    **options
        Options of the kind, see `describe`; None stands for the default.

    Examples
    --------
    >>> import vtemper
    >>> model = vtemper.Model("lda", topics=3)
    >>> model.options["topics"]
    '3'
    """

    _type = "model"

    def __init__(self, kind: str, **options: Any) -> None:
        super().__init__()
        library.call("model_create", kind, option_set(options), ctypes.byref(self._pointer))

    @property
    def kind(self) -> str:
        """The kind, such as "lda"."""
        return str(library.result("model_kind", self).decode())

    @property
    def options(self) -> Dict[str, str]:
        """The options as set, as text; "auto" where they follow from something else."""
        return used_options(self, "model_option", self.kind)

    @property
    def used_options(self) -> Dict[str, str]:
        """The values in use: for options that are "auto" the values chosen from other options, the data or the fit."""
        return values_in_use(self, "model_used_options", self.kind)

    @property
    def columns(self) -> int:
        """Columns that the model was initialised for; 0 before."""
        return int(library.number("model_columns", self))

    @property
    def components(self) -> int:
        """Number of topics, components, states or units, over all layers where there are several; 0 if it is chosen from
        data that the model has not seen."""
        sizes = self.used_options[option_names(self.kind)[0]]
        return 0 if sizes == "auto" else sum(map(int, sizes.split(",")))

    def _all(self, components: int) -> int:
        """The number of components, which the caller must have given."""
        own = self.components
        if components != own:
            raise ArgumentError("argument components is %s; the model has %d" % (components, own))
        return own

    @property
    def names(self) -> List[str]:
        """The names of the columns; empty if there are none."""
        return list(self._read_names())

    def _read_names(self) -> List[str]:
        """The names, read once; not to be changed."""
        columns = self.columns
        known: List[str] = self.__dict__.get("_names", [])
        if not known:
            known = self.__dict__["_names"] = column_names("model_name", self, columns)
        return known

    @property
    def parameters(self) -> Parameters:
        """The parameters by name."""
        return Parameters(self)

    def initialize(self, data: Any, seed: int = 0) -> "Model":
        """Sizes the parameters for the data and draws the start."""
        library.call("model_initialize", self, self.data(data), seed)
        self.__dict__.pop("_names", None)
        return self

    @property
    def form(self) -> str:
        """The form of the model's data: "counts", "dense" or "sequences"."""
        return form_of_kind(self.kind)

    def data(self, X: Any, **keywords: Any) -> Data:
        """Data of the model's form; where both have names, with the model's columns in its order."""
        data = self._made_data(X, keywords)
        ours, theirs = self._read_names(), data._read_names()
        return data if not ours or not theirs or ours == theirs or data.form == "dense" else data.align(ours)

    def _made_data(self, X: Any, keywords: Dict[str, Any]) -> Data:
        if isinstance(X, Data):
            if keywords:
                raise ArgumentError("the data is already made; give %s to Data" % next(iter(keywords)))
            return X
        if isinstance(X, (str, bytes, os.PathLike)):
            return Data(X, **keywords)
        return Data(X, self.form, **self._known(keywords))

    def _known(self, keywords: Dict[str, Any]) -> Dict[str, Any]:
        """Sequences have the model's alphabet, words its vocabulary."""
        if self.columns and self.form == "sequences":
            names = self.names
            keywords = dict({"alphabet": self.columns, "names": names or None}, **keywords)
        return keywords

    def quantities(self, X: Any) -> List[QuantityInfo]:
        """What `infer` gives for these rows."""
        return quantities(self, "model_infer", self.data(X))

    def infer(self, X: Any, quantity: Optional[str] = None, **options: Any) -> Any:
        """Local posteriors of rows at temperature 1.

        Parameters
        ----------
        X : Data or what `Data` accepts
        quantity : str, optional
            One of `quantities(X)`; by default the first.
        **options
            Options of the subject "evaluate".

        Returns
        -------
        ndarray
        """
        data = self.data(X)
        infos = quantities(self, "model_infer", data)
        info = infos[0] if quantity is None else found(infos, quantity, "quantity")
        chosen = option_set(options)
        return interruptible(lambda: filled(info.shape, info.name, lambda place, length: library.call(
            "model_infer", self, data, info.name, chosen, place, length)))

    def evaluate(self, X: Any = None, measure: str = "predictive", heldout: Any = None, **options: Any) -> float:
        """The score of rows at temperature 1: "predictive", "perplexity", "elbo" and others; see vtemper_model_evaluate."""
        observed = None if X is None else self.data(X)
        hidden = None if heldout is None else self.data(heldout)
        chosen = option_set(options)
        return float(interruptible(lambda: library.number("model_evaluate", self, observed, hidden, measure, chosen,
                                                          of=ctypes.c_double)))

    def evaluate_topics(self, components: int, reference: Any = None, measure: str = "coherence_npmi", **options: Any) -> Any:
        """The score of each topic, such as "coherence_npmi". `components` is their number, that of the model."""
        data = None if reference is None else self.data(reference)
        chosen = option_set(options)
        return interruptible(lambda: filled((self._all(components),), measure, lambda place, length: library.call(
            "model_evaluate_topics", self, data, measure, chosen, place, length)))

    def rank_words(self, components: int, n: int = 10, rank: str = "probability") -> Tuple[Any, Any]:
        """The columns of the `n` highest-ranked words of all topics, [topics x n], and their scores. `components` is the
        number of topics, that of the model."""
        n = min(whole_number(n, "n"), self.columns)
        shape = self._all(components), max(n, 0)
        indices, scores = np.empty(shape, dtype=np.int64), np.empty(shape)
        library.call("model_rank_all_words", self, rank, n, address(indices), address(scores))
        return indices, scores

    def topic_map(self, components: int, by: str = "distance") -> Any:
        """Places of the topics in the plane, [topics x 2]. `components` is the number of topics, that of the model."""
        places = interruptible(lambda: filled((self._all(components) * 2,), "the map", lambda place, length: library.call(
            "model_topic_map", self, by, place, length)))
        return places.reshape(components, 2)

    @property
    def notes(self) -> Dict[str, str]:
        """The notes that are saved with the model."""
        count = library.number("model_note_count", self, of=ctypes.c_int32)
        names = [library.text("model_note_name", self, index) for index in range(count)]
        return {name: library.text("model_note", self, name) for name in names}

    def set_note(self, name: str, text: Optional[str]) -> None:
        """Attaches a note; None removes it."""
        library.call("model_set_note", self, name, text)

    def copy(self) -> "Model":
        """An independent model with the same options and parameters."""
        return Model._made("model_copy", self)

    def save(self, path: Any) -> None:
        """The model in a portable file, which C, R, Julia and the command read as well."""
        library.call("model_save", self, path)

    @classmethod
    def load(cls, path: Any) -> "Model":
        """The model that was saved in the file."""
        return cls._made("model_load", path)

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return buffered("model_save_buffer", self)

    @classmethod
    def from_bytes(cls, content: Any) -> "Model":
        """The model of these bytes, or of another bytes-like object."""
        content = content_bytes(content)
        return cls._made("model_load_buffer", content, len(content))

    def __copy__(self) -> "Model":
        return self.copy()

    def __deepcopy__(self, memo: Any) -> "Model":
        return self.copy()

    def __reduce__(self) -> Any:
        return Model.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        if not self._pointer.value:
            return "Model(closed)"
        return "Model(%r, %s)" % (self.kind, counted(self.columns, "column"))

    def close(self) -> None:
        """Frees the model now, or when a call that uses it has returned. Objects that still use it keep it alive."""
        self._close()


def form_of_kind(kind: str) -> str:
    """The form of data that models of a kind are fitted to."""
    value = library.number("model_kind_form", kind, of=ctypes.c_int)
    return {_header.COUNTS: "counts", _header.DENSE: "dense", _header.SEQUENCES: "sequences"}[value]


def buffered(function: str, owner: Handle) -> bytes:
    """The bytes that a function writes, after it was asked for their number."""
    size = ctypes.c_int64()
    library.call(function, owner, None, 0, ctypes.byref(size))
    content = ctypes.create_string_buffer(size.value)
    library.call(function, owner, ctypes.addressof(content), size.value, ctypes.byref(size))
    return content.raw[:size.value]
