"""Properties that `functools.cached_property` makes: what they give is kept in the object.

    @cached_property                    @property
    def area(self):                     def area(self):
        return self.width ** 2              if self._area__kept is None:
                                                def _area__made(self):
                                                    return self.width ** 2
                                                self._area__kept = (_area__made(self),)
                                            return self._area__kept[0]

It is kept in a tuple, as it may be None.  `super()` is about the first parameter of a function.
"""

from collections.abc import Iterator
from functools import cached_property
from types import FunctionType
from typing import cast

from scriptc.check.scopes import plain_function
from scriptc.syntax import nodes as n


def kept_field(name: str) -> str:
    """Return the field in which an object keeps what a property has given."""
    return f"_{name}__kept"


def kept_properties(cls: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield the cached properties in the body of a class, with their functions."""
    for name, member in vars(cls).items():
        if isinstance(member, cached_property):
            function = plain_function(cast("cached_property[object]", member).func)
            if function is not None:
                yield name, function


def with_kept(node: n.FunctionDef) -> n.FunctionDef:
    """Return the getter of a cached property."""
    lo, hi, made = node.lo, node.hi, f"_{node.name}__made"

    def owner() -> n.Name:
        return n.Name(lo, hi, node.args.args[0].arg)

    def field() -> n.Attribute:
        return n.Attribute(lo, hi, owner(), kept_field(node.name))

    called = n.Call(lo, hi, n.Name(lo, hi, made), (owner(),), ())
    missing = n.Compare(lo, hi, field(), ("is",), (n.Constant(lo, hi, None, None),))
    make = (
        n.FunctionDef(lo, hi, made, node.args, node.body, (), None, (), False),
        n.Assign(lo, hi, (field(),), n.Tuple(lo, hi, (called,))),
    )
    result = n.Subscript(lo, hi, field(), n.Constant(lo, hi, 0, None))
    body = (n.If(lo, hi, missing, make, ()), n.Return(lo, hi, result))
    return n.FunctionDef(lo, hi, node.name, node.args, body, (), node.returns, (), False)
