"""A class of matrices with operators: products, powers, determinants and inverses of fractions."""

from scriptc import script


class Fraction:
    """A fraction of ints in lowest terms."""

    def __init__(self, numerator: int, denominator: int = 1) -> None:
        if denominator == 0:
            raise ZeroDivisionError("a denominator is 0")
        divisor = common_divisor(numerator, denominator)
        if denominator < 0:
            divisor = -divisor
        self.numerator = numerator // divisor
        self.denominator = denominator // divisor

    def __add__(self, other: "Fraction") -> "Fraction":
        return Fraction(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )

    def __neg__(self) -> "Fraction":
        return Fraction(-self.numerator, self.denominator)

    def __sub__(self, other: "Fraction") -> "Fraction":
        return self + -other

    def __mul__(self, other: "Fraction") -> "Fraction":
        return Fraction(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: "Fraction") -> "Fraction":
        return Fraction(self.numerator * other.denominator, self.denominator * other.numerator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fraction):
            return NotImplemented
        return self.numerator == other.numerator and self.denominator == other.denominator

    def __bool__(self) -> bool:
        return self.numerator != 0

    def __float__(self) -> float:
        return self.numerator / self.denominator

    def __str__(self) -> str:
        if self.denominator == 1:
            return str(self.numerator)
        return f"{self.numerator}/{self.denominator}"


def common_divisor(a: int, b: int) -> int:
    """Return the greatest common divisor, 1 of zeros (Euclid)."""
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return max(a, 1)


class Matrix:
    """Rows of fractions."""

    def __init__(self, rows: list[list[Fraction]]) -> None:
        if any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("rows have different lengths")
        self.rows = rows

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.rows), len(self.rows[0])

    def __getitem__(self, place: tuple[int, int]) -> Fraction:
        row, column = place
        return self.rows[row][column]

    def __setitem__(self, place: tuple[int, int], value: Fraction) -> None:
        row, column = place
        self.rows[row][column] = value

    def __matmul__(self, other: "Matrix") -> "Matrix":
        height, inner = self.size
        if inner != other.size[0]:
            raise ValueError(f"sizes {self.size} and {other.size} do not match")
        rows: list[list[Fraction]] = []
        for i in range(height):
            row: list[Fraction] = []
            for j in range(other.size[1]):
                total = Fraction(0)
                for k in range(inner):
                    total = total + self[i, k] * other[k, j]
                row.append(total)
            rows.append(row)
        return Matrix(rows)

    def __pow__(self, exponent: int) -> "Matrix":
        found, base = identity(self.size[0]), self
        while exponent:
            if exponent % 2:
                found = found @ base
            base = base @ base
            exponent //= 2
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self.rows == other.rows

    def __str__(self) -> str:
        return "; ".join(" ".join(str(item) for item in row) for row in self.rows)

    def inverse(self) -> "Matrix":
        """Return the inverse by elimination.  Raises ZeroDivisionError where there is none."""
        size, columns = self.size
        if size != columns:
            raise ValueError("only a square matrix has an inverse")
        left = [list(row) for row in self.rows]
        right = identity(size).rows
        for i in range(size):
            pivot = next((r for r in range(i, size) if left[r][i]), -1)
            if pivot < 0:
                raise ZeroDivisionError("the matrix is singular")
            left[i], left[pivot] = left[pivot], left[i]
            right[i], right[pivot] = right[pivot], right[i]
            factor = left[i][i]
            left[i] = [item / factor for item in left[i]]
            right[i] = [item / factor for item in right[i]]
            for r in range(size):
                if r != i and left[r][i]:
                    factor = left[r][i]
                    left[r] = [a - factor * b for a, b in zip(left[r], left[i], strict=True)]
                    right[r] = [a - factor * b for a, b in zip(right[r], right[i], strict=True)]
        return Matrix(right)


def identity(size: int) -> Matrix:
    """Return the identity matrix."""
    return Matrix([[Fraction(int(i == j)) for j in range(size)] for i in range(size)])


@script
def run(rounds: int) -> tuple[str, int, float, int]:
    """Invert matrices; return the last inverse, how many were right, a sum, how many had none."""
    right, singular, total, text = 0, 0, 0.0, ""
    for i in range(rounds):
        rows = [[Fraction((i + r * 7 + c * c * 3) % 11 - 4) for c in range(4)] for r in range(4)]
        matrix = Matrix(rows)
        try:
            inverse = matrix.inverse()
        except ZeroDivisionError:
            singular += 1
            continue
        right += matrix @ inverse == identity(4)
        total += float(inverse[0, 0]) + float((matrix**3)[1, 2])
        text = str(inverse)
    return text, right, total, singular


if __name__ == "__main__":
    print(run(300))
