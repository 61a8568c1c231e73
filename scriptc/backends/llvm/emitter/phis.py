"""What chooses a component of a value by the block that control comes from."""

from collections.abc import Sequence


def phi_text(type_: str, incoming: Sequence[tuple[str, tuple[str, ...]]], index: int) -> str:
    """Return the instruction for one component of what the blocks bring."""
    ways = ", ".join(f"[ {components[index]}, %{block} ]" for block, components in incoming)
    return f"phi {type_} {ways}"
