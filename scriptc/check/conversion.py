"""Numbers and arrays as others of another element type."""

from scriptc.check.checked import Computation, Convert
from scriptc_runtime.types import DType, Element, TensorType, element_of


def converted(value: Computation, element: Element) -> Computation:
    """Return a number or an array with elements of type `element`."""
    current = value.type
    if element_of(current) is element:
        return value
    if isinstance(current, TensorType):
        assert isinstance(element, DType)
        return Convert(value, TensorType(element, current.dims))
    return Convert(value, element)
