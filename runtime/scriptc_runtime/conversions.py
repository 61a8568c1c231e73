"""What to write to make of an object of another library something that scripts take.

Libraries are known by their names and by the methods of their objects: none is imported.
"""

from collections.abc import Mapping

# By the library, and the name of the class or of one of its bases; `x` is the object.
_BY_CLASS: Mapping[str, str] = {
    "pandas.DataFrame": 'x.to_numpy(), or a column, x["name"].to_numpy()',
    "polars.DataFrame": 'x.to_numpy(), or a column, x["name"].to_numpy()',
    "dask.DataFrame": "x.compute().to_numpy()",
    "dask.Series": "x.compute().to_numpy()",
    "dask.Array": "x.compute()",
    "torch.Tensor": "x.numpy(force=True)",
    "tensorflow.Tensor": "x.numpy()",
    "cupy.ndarray": "x.get()",
    "pyarrow.Array": "x.to_numpy(zero_copy_only=False)",
    "h5py.Dataset": "x[...]",
    "zarr.Array": "x[...]",
    "numpy.matrix": "np.asarray(x): of arrays * goes element by element, and @ is the product",
    "numpy.MaskedArray": "x.filled(value), or x.data and np.ma.getmaskarray(x)",
    "astropy.Quantity": "x.value",
    "numba.List": "list(x)",
    "numba.Dict": "dict(x)",
    "decimal.Decimal": "float(x)",
    "fractions.Fraction": "float(x)",
    "datetime.datetime": "x.timestamp()",
    "datetime.date": "x.toordinal()",
    "datetime.timedelta": "x.total_seconds()",
    "pathlib.PurePath": "str(x)",
    "collections.deque": "list(x)",
    "builtins.range": "list(x)",
    "builtins.map": "list(x)",
    "builtins.filter": "list(x)",
    "builtins.zip": "list(x)",
    "builtins.enumerate": "list(x)",
    "builtins.generator": "list(x)",
    "builtins.bytes": "np.frombuffer(x, dtype=np.uint8)",
    "builtins.bytearray": "bytes(x), or np.frombuffer(x, dtype=np.uint8)",
    "builtins.memoryview": "np.asarray(x)",
    "array.array": "np.asarray(x)",
}
# Other objects, by what they can do; the first that fits.
_BY_METHOD: Mapping[str, str] = {
    "to_numpy": "x.to_numpy()",
    "toarray": "x.toarray()",
    "__array__": "np.asarray(x)",
    "__array_interface__": "np.asarray(x)",
    "__dlpack__": "np.from_dlpack(x)",
}


def conversion_of(value: object) -> str:
    """Return what to write for a value, called `x`; nothing where that is not known."""
    way = class_conversion(type(value))
    if way == _BY_METHOD["to_numpy"] and _may_lack_values(value):
        return "x.to_numpy(float, na_value=np.nan)"
    if way == _BY_METHOD["toarray"] and all(hasattr(value, part) for part in _SPARSE):
        return f"{way}, or the arrays it is made of, x.data, x.indices and x.indptr"
    return way


def class_conversion(cls: type) -> str:
    """Return what to write for the objects of a class; nothing where that is not known."""
    for base in cls.__mro__:
        known = _BY_CLASS.get(f"{base.__module__.partition('.')[0]}.{base.__name__}")
        if known:
            return known
    return next((way for method, way in _BY_METHOD.items() if hasattr(cls, method)), "")


_SPARSE = ("data", "indices", "indptr")


def _may_lack_values(value: object) -> bool:
    """Whether it is of one of pandas' own dtypes of numbers, which have a missing value."""
    dtype: object = getattr(value, "dtype", None)
    is_own = type(dtype).__module__.partition(".")[0] == "pandas"
    return is_own and getattr(dtype, "kind", "") in ("b", "i", "u", "f")
