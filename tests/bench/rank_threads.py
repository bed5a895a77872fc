"""A group whose ranks are threads of this process, connected by the public interface alone: what they send is counted.

The bytes are copied from one rank's memory to another's, so that of a network's cost there is the processor's part.
"""
import ctypes
import threading

import numpy

from library import vtemper
from vtemper import _header
from vtemper.handles import Handle
from vtemper.library import library as functions

_REDUCE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
_COUNTS = ctypes.POINTER(ctypes.c_int64)
_EXCHANGE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, _COUNTS, ctypes.c_void_p, _COUNTS, ctypes.c_void_p)
_NUMBERS = {_header.INT32: numpy.int32, _header.INT64: numpy.int64, _header.FLOAT: numpy.float32, _header.DOUBLE: numpy.float64}
_COMBINE = {_header.SUM: numpy.add, _header.MIN: numpy.minimum, _header.MAX: numpy.maximum}


class Group(Handle):
    _type = "group"


class Rank:
    """One rank: its group, and how much its calls have sent to others."""

    def __init__(self, number, ranks):
        self.number, self.ranks = number, ranks
        self.bytes = self.messages = self.calls = 0
        self._reduce, self._exchange = _REDUCE(self._reduced), _EXCHANGE(self._exchanged)
        self.group = Group()
        functions.call("group_create", number, ranks.count, self._reduce, self._exchange, None, None,
                     ctypes.byref(self.group._pointer))

    def spread(self, data):
        """The data of this rank as a part of the corpus of all; collective."""
        return vtemper.Data._made("data_spread", data, self.group)

    def _reduced(self, values, count, element, how, user):
        own = numpy.ctypeslib.as_array(ctypes.cast(values, ctypes.POINTER(ctypes.c_ubyte)), (count * numpy.dtype(_NUMBERS[element]).itemsize,)).view(_NUMBERS[element])
        self.ranks.posts[self.number] = own
        if not self.ranks.meet():
            return 1
        result = self.ranks.posts[0].copy()
        for other in self.ranks.posts[1:]:
            _COMBINE[how](result, other, out=result)
        if not self.ranks.meet():
            return 1
        own[:] = result
        return 0

    def _exchanged(self, out, out_bytes, into, in_bytes, user):
        sizes = out_bytes[:self.ranks.count]
        self.calls += 1
        self.bytes += sum(sizes) - sizes[self.number]
        self.messages += sum(size > 0 for size in sizes) - (sizes[self.number] > 0)
        self.ranks.posts[self.number] = (out, sizes)
        if not self.ranks.meet():
            return 1
        place = into
        for other in range(self.ranks.count):
            source, theirs = self.ranks.posts[other]
            if theirs[self.number] != in_bytes[other]:
                return 1
            if theirs[self.number]:
                ctypes.memmove(place, source + sum(theirs[:self.number]), theirs[self.number])
            place += theirs[self.number]
        return 0 if self.ranks.meet() else 1


class Ranks:
    """`run(work)` calls work(rank) on a separate thread for each of `count` ranks and returns their results."""

    def __init__(self, count):
        self.count = count
        self.posts = [None] * count
        self._barrier = threading.Barrier(count)

    def meet(self):
        try:
            self._barrier.wait()
            return True
        except threading.BrokenBarrierError:
            return False

    def run(self, work):
        results = [None] * self.count

        def do(number):
            try:
                results[number] = work(Rank(number, self))
            except BaseException as failure:
                self._barrier.abort()
                results[number] = failure
        threads = [threading.Thread(target=do, args=(number,)) for number in range(self.count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # Ranks that only report another's failure add nothing.
        failures = [result for result in results if isinstance(result, BaseException)]
        if failures:
            raise failures[0]
        return results
