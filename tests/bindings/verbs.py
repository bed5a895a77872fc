"""verbs.py LIST: each line of the list names something of the package and arguments that it takes."""
import inspect
import sys

import vtemper

wrong = []
with open(sys.argv[1]) as lines:
    for line in lines:
        name, *arguments = line.split()
        thing = vtemper
        for part in name.split("."):
            thing = getattr(thing, part, None)
        if thing is None:
            wrong.append("there is no " + name)
            continue
        if arguments:
            taken = inspect.signature(thing).parameters
            wrong += ["%s has no argument %s" % (name, argument) for argument in arguments if argument not in taken]
print("\n".join(wrong))
sys.exit(bool(wrong))
