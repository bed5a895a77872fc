"""Options: what the library says of them, and sets of them."""
import ctypes
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

import numpy as np

from . import _header
from .arguments import text_bytes
from .arrays import reals
from .errors import ArgumentError, VTemperError
from .handles import Handle, address
from .library import library


class OptionInfo(NamedTuple):
    """One option, as the library describes it."""

    name: str
    type: str
    default: str
    minimum: float
    maximum: float
    choices: List[str]
    description: str

    @property
    def values(self) -> str:
        """The valid values in words."""
        if self.choices:
            return ", ".join(self.choices)
        if self.type == "boolean":
            return "true, false"
        if self.type == "text":
            return "any text"
        if self.maximum >= 9e15:
            return "any" if self.minimum <= -9e15 else "%.10g or more" % self.minimum
        return "%.10g to %.10g" % (self.minimum, self.maximum)


_TYPES = {_header.OPTION_INTEGER: "integer", _header.OPTION_REAL: "real", _header.OPTION_REALS: "reals",
          _header.OPTION_CHOICE: "choice", _header.OPTION_BOOLEAN: "boolean",
          _header.OPTION_TEXT: "text"}


def describe(subject: str) -> List[OptionInfo]:
    """The options of a kind of model, of a run ("optimizer"), or of inference and scores ("evaluate").

    Parameters
    ----------
    subject : str
        A kind such as "lda", "optimizer" or "evaluate".

    Returns
    -------
    list of OptionInfo
        Name, type, default, range or choices, and a description, as given by the library.

    Examples
    --------
    >>> import vtemper
    >>> vtemper.describe("lda")[0].name
    'topics'
    """
    rows = []
    for index in range(library.number("option_count", subject, of=ctypes.c_int32)):
        info = _header.Option(struct_size=ctypes.sizeof(_header.Option))
        library.call("option_info", subject, index, ctypes.byref(info))
        rows.append(OptionInfo(info.name.decode(), _TYPES[info.type], info.default_text.decode(), info.minimum,
                               info.maximum, info.choices.decode().split(), info.description.decode()))
    return rows


class OptionSet(Handle):
    """A set of names and values; None stands for the library's default."""

    _type = "options"


def option_set(values: Mapping[str, Any]) -> OptionSet:
    """The library's set of these options."""
    made = OptionSet._made("options_create")
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if isinstance(value, (bool, np.bool_)):
            library.call("options_set", made, name, "true" if value else "false")
        elif isinstance(value, (str, bytes)):
            library.call("options_set", made, name, text_bytes(value, name))
        elif isinstance(value, (int, np.integer)):
            # As text, which takes any number: the library says which are valid.
            library.call("options_set", made, name, str(int(value)))
        elif isinstance(value, (float, np.floating)):
            if not np.isfinite(value):
                raise ArgumentError("option %s is %s, which is not finite" % (name, float(value)))
            library.call("options_set_real", made, name, float(value))
        else:
            reals = _reals(name, value)
            library.call("options_set_reals", made, name, address(reals), reals.size)
    return made


def _reals(name: str, value: Any) -> Any:
    try:
        return reals(value, "option " + name).reshape(-1)
    except VTemperError:
        raise
    except (TypeError, ValueError):
        raise TypeError("option %s cannot be a %s; give a number, a list of numbers or a word"
                        % (name, type(value).__name__)) from None


def option_names(subject: str) -> List[str]:
    """The names of a subject's options."""
    return [option.name for option in describe(subject)]


def used_options(owner: Handle, function: str, subject: str) -> Dict[str, str]:
    """The options that `function` knows, as text. Options of parts that are not used have none."""
    used = {}
    with owner._kept() as kept:  # the texts last as long as the handle
        for name in option_names(subject):
            out = ctypes.c_char_p()
            if library.result(function, kept, name, ctypes.byref(out)) == _header.OK and out.value is not None:
                used[name] = out.value.decode()
    return used


def values_in_use(owner: Handle, function: str, subject: str) -> Dict[str, str]:
    """What was chosen where options are "auto"; the others as they were set."""
    return used_options(OptionSet._made(function, owner), "options_get_text", subject)


def parameters_text(subject: str, renamed: Optional[Mapping[str, str]] = None, skip: Any = (),
                    ours: Optional[Mapping[str, List[str]]] = None) -> str:
    """The section Parameters of a docstring, from the library's descriptions or the lines that are `ours`, by option."""
    lines = []
    for option in describe(subject):
        if option.name in skip:
            continue
        if ours and option.name in ours:
            lines += ours[option.name]
            continue
        name = (renamed or {}).get(option.name, option.name)
        lines += ["%s : %s, default %s" % (name, option.type, option.default),
                  "    %s [%s]" % (option.description, option.values)]
    return "\n".join(lines)
