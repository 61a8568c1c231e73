"""All ops, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from scriptc_runtime.ops import (
    arrays,
    bigints,
    buffers,
    byte_strings,
    classes,
    containers,
    control,
    data,
    device,
    elementary,
    elementwise,
    exact,
    exceptions,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    list_items,
    list_parts,
    low,
    named,
    outside,
    picking,
    products,
    reductions,
    reshaping,
    scans,
    sequences,
    sorting,
    texts,
    tuples,
    unions,
)
from scriptc_runtime.ops.opdef import OpDef

OPS: Mapping[str, OpDef] = MappingProxyType(
    {
        op.name: op
        for op in (
            *control.OPS,
            *exceptions.OPS,
            *data.OPS,
            *list_parts.OPS,
            *tuples.OPS,
            *classes.OPS,
            *containers.OPS,
            *texts.OPS,
            *byte_strings.OPS,
            *bigints.OPS,
            *named.OPS,
            *outside.OPS,
            *elementwise.OPS,
            *elementary.OPS,
            *integers.OPS,
            *arrays.OPS,
            *picking.OPS,
            *joining.OPS,
            *reshaping.OPS,
            *sorting.OPS,
            *reductions.OPS,
            *scans.OPS,
            *sequences.OPS,
            *linalg.OPS,
            *fourier.OPS,
            *generators.OPS,
            *low.OPS,
            *device.OPS,
            *list_items.OPS,
            *buffers.OPS,
            *products.OPS,
            *exact.OPS,
            *unions.OPS,
        )
    }
)
