"""Generators that leave for Python: their objects in compiled code, and Python's iterators."""

from functools import partial

from scriptc.classes.scripted_class import Access, ClassState, make_loaded_class
from scriptc_runtime.given_generators import Functions, given_generator


def generator_class(name: str, access: Access) -> ClassState:
    """Return a class for the objects of generators, of which Python sees nothing."""
    state = make_loaded_class(name)
    state.begin((), {}, access, ())
    state.is_generator = True
    return state


def generator_objects(
    class_name: str, name: str, access: Access, functions: Functions
) -> dict[str, object]:
    """Return what machine code that gives a generator refers to by name.

    `functions` are filled in once the machine code is loaded.
    """
    return {
        f"class {class_name}": generator_class(class_name, access).live,
        f"make {class_name}": partial(given_generator, name, functions),
    }
