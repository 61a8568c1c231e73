"""Complete words as they are typed, by a trie with counts; wrong letters are forgiven."""

from collections.abc import Iterator

from scriptc import script

SYLLABLES = ("ka", "lo", "mi", "ren", "so", "ta", "vel", "zu", "an", "er")


class Node:
    """A prefix: what may follow, and how often it was a word."""

    __slots__ = ("count", "following")

    def __init__(self) -> None:
        self.following: dict[str, Node] = {}
        self.count = 0

    def collect(self, prefix: str, found: list[tuple[str, int]]) -> None:
        """Add the words below with their counts, in the order of the alphabet."""
        if self.count:
            found.append((prefix, self.count))
        for letter in sorted(self.following):
            self.following[letter].collect(prefix + letter, found)


class Trie:
    """Words by their letters."""

    def __init__(self) -> None:
        self.root = Node()
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def add(self, word: str, count: int = 1) -> None:
        """Count a word."""
        if not word:
            raise ValueError("a word has letters")
        node = self.root
        for letter in word:
            node = node.following.setdefault(letter, Node())
        if node.count == 0:
            self.size += 1
        node.count += count

    def find(self, prefix: str) -> Node | None:
        """Return the node of a prefix, None where no word begins so."""
        node = self.root
        for letter in prefix:
            following = node.following.get(letter)
            if following is None:
                return None
            node = following
        return node

    def __contains__(self, word: str) -> bool:
        node = self.find(word)
        return node is not None and node.count > 0

    def complete(self, prefix: str, most: int) -> list[str]:
        """Return the most frequent words that begin so."""
        node = self.find(prefix)
        if node is None:
            return []
        found: list[tuple[str, int]] = []
        node.collect(prefix, found)
        found.sort(key=lambda row: (-row[1], row[0]))
        return [word for word, _ in found[:most]]

    def near(self, word: str, errors: int) -> set[str]:
        """Return the words that differ in at most so many letters (Levenshtein's distance)."""
        found: set[str] = set()
        row = list(range(len(word) + 1))
        for letter, node in self.root.following.items():
            self._near(node, letter, letter, word, row, errors, found)
        return found

    def _near(
        self,
        node: Node,
        letter: str,
        prefix: str,
        word: str,
        before: list[int],
        errors: int,
        found: set[str],
    ) -> None:
        row = [before[0] + 1]
        for place, wanted in enumerate(word):
            cost = before[place] + (wanted != letter)
            row.append(min(cost, row[place] + 1, before[place + 1] + 1))
        if row[-1] <= errors and node.count:
            found.add(prefix)
        if min(row) <= errors:
            for following, below in node.following.items():
                self._near(below, following, prefix + following, word, row, errors, found)


def made_words(count: int) -> Iterator[str]:
    """Yield words of two and three syllables."""
    for i in range(count):
        word = SYLLABLES[i % 10] + SYLLABLES[i // 7 % 10]
        yield word + SYLLABLES[i // 3 % 10] if i % 4 else word


@script
def run(count: int) -> tuple[int, list[str], int, list[str], int]:
    """Return how many words there are, completions, how many there were, and what is near."""
    trie = Trie()
    for word in made_words(count):
        trie.add(word)
    shown, near = 0, 0
    for i in range(count // 4):
        prefix = SYLLABLES[i % 10][:1] + SYLLABLES[i * 3 % 10][1:]
        shown += len(trie.complete(prefix, 5))
        if i % 8 == 0:
            near += len(trie.near(SYLLABLES[i % 10] + "xo", 2))
    assert "kalo" in trie or count < 100
    assert "nothing" not in trie
    return len(trie), trie.complete("ka", 4), shown, sorted(trie.near("renso", 1)), near


if __name__ == "__main__":
    print(run(2000))
