"""Conway's game of life on a plane without borders: the living cells are a set of places."""

from scriptc import script

Place = tuple[int, int]

PATTERNS = {
    "glider": ".O.\n..O\nOOO",
    "r-pentomino": ".OO\nOO.\n.O.",
    "acorn": ".O.....\n...O...\nOO..OOO",
    "blinker": "OOO",
}


class World:
    """The living cells, and how many rounds they are old."""

    def __init__(self, cells: set[Place]) -> None:
        self.cells = cells
        self.age = 0

    def step(self) -> None:
        """Go on by one round."""
        counts: dict[Place, int] = {}
        for x, y in self.cells:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        place = (x + dx, y + dy)
                        counts[place] = counts.get(place, 0) + 1
        self.cells = {
            place
            for place, count in counts.items()
            if count == 3 or (count == 2 and place in self.cells)
        }
        self.age += 1

    def box(self) -> tuple[int, int, int, int]:
        """Return the least and the greatest coordinates, zeros where nothing lives."""
        if not self.cells:
            return 0, 0, 0, 0
        xs = [x for x, _ in self.cells]
        ys = [y for _, y in self.cells]
        return min(xs), min(ys), max(xs), max(ys)

    def __len__(self) -> int:
        return len(self.cells)

    def __str__(self) -> str:
        left, top, right, bottom = self.box()
        rows: list[str] = []
        for y in range(top, bottom + 1):
            row = ""
            for x in range(left, right + 1):
                row += "O" if (x, y) in self.cells else "."
            rows.append(row)
        return "\n".join(rows)


def cells_of(pattern: str, x: int, y: int) -> set[Place]:
    """Return the cells of a pattern, moved to a place."""
    found: set[Place] = set()
    for dy, row in enumerate(pattern.split("\n")):
        for dx, mark in enumerate(row):
            if mark == "O":
                found.add((x + dx, y + dy))
    return found


def moved(cells: set[Place]) -> frozenset[Place]:
    """Return cells moved to the origin, so that equal forms are equal."""
    left = min(x for x, _ in cells)
    top = min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def period(cells: set[Place], limit: int) -> int:
    """Return after how many rounds a form comes back, wherever it is; 0 if not within the limit."""
    world = World(set(cells))
    start = moved(cells)
    for _ in range(limit):
        world.step()
        if not world.cells:
            return 0
        if moved(world.cells) == start:
            return world.age
    return 0


@script
def run(rounds: int) -> tuple[int, int, str, dict[str, int]]:
    """Let patterns meet; return how many cells live, the most there were, a form, the periods."""
    world = World(cells_of(PATTERNS["acorn"], 0, 0) | cells_of(PATTERNS["r-pentomino"], 30, 5))
    most = 0
    for _ in range(rounds):
        world.step()
        most = max(most, len(world))
    periods = {name: period(cells_of(text, 0, 0), 12) for name, text in PATTERNS.items()}
    glider = World(cells_of(PATTERNS["glider"], 5, 5))
    for _ in range(8):
        glider.step()
    assert not glider.cells & world.cells or rounds < 100
    return len(world), most, str(glider), periods


if __name__ == "__main__":
    print(run(150))
