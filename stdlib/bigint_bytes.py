"""Ints of any size as bytes, in the script language: their digits are those of base 16."""

from scriptc_runtime import unsafe


def to_bytes(
    self: unsafe.AnySize, /, length: int = 1, byteorder: str = "big", *, signed: bool = False
) -> bytes:
    """Return a number as bytes.  Raises OverflowError."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if self < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    bits = 8 * length - (1 if signed else 0)
    # A number below 0 has the bits of the one before its opposite, turned.
    needed = (-1 - self if self < 0 else self).bit_length()
    if needed > max(bits, 0):
        raise OverflowError("int too big to convert")
    if length == 0:
        return b""
    number = self + (unsafe.bigint_of(1) << 8 * length) if self < 0 else self
    found = bytes.fromhex(f"{number:x}".zfill(2 * length))
    return found[::-1] if byteorder == "little" else found


def from_bytes(bytes, byteorder: str = "big", *, signed: bool = False):
    """Return the number that bytes are."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    digits = (bytes[::-1] if byteorder == "little" else bytes).hex()
    if digits == "":
        return unsafe.bigint_of(0)
    number = unsafe.bigint_of_text(digits, 16)
    if signed and digits[0] >= "8":
        return number - (unsafe.bigint_of(1) << 4 * len(digits))
    return number
