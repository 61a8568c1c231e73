"""Statistics of a text: words, sentences, the commonest words and letters, and a histogram."""

from scriptc import script

SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "A dog that sleeps lies; a fox that sleeps dreams of geese!",
    "Is it the fox, the dog, or the goose who tells the story?",
    "\u00dcber den D\u00e4chern fliegt die Gans, und niemand sieht sie.",
    "The story, says the goose, is mine: it's told in 42 words.",
)


class Counter:
    """Counts texts."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def add(self, text: str) -> None:
        """Count one more."""
        self.counts[text] = self.counts.get(text, 0) + 1

    def commonest(self, count: int) -> list[tuple[str, int]]:
        """Return the most frequent ones, those of equal frequency in their order."""
        rows = sorted(self.counts.items(), key=lambda row: (-row[1], row[0]))
        return rows[:count]

    def __len__(self) -> int:
        return len(self.counts)


class Statistics:
    """What is known of a text."""

    def __init__(self) -> None:
        self.words = Counter()
        self.letters = Counter()
        self.lengths: dict[int, int] = {}
        self.sentences = 0
        self.characters = 0

    def read(self, text: str) -> None:
        """Take a text into account."""
        self.characters += len(text)
        self.sentences += sum(text.count(mark) for mark in ".!?")
        for word in words_of(text):
            self.words.add(word)
            self.lengths[len(word)] = self.lengths.get(len(word), 0) + 1
        for letter in text.lower():
            if letter.isalpha():
                self.letters.add(letter)

    @property
    def mean_length(self) -> float:
        """The mean number of letters of a word."""
        count = sum(self.lengths.values())
        if count == 0:
            return 0.0
        return sum(length * n for length, n in self.lengths.items()) / count

    def histogram(self) -> str:
        """Return a row of stars for each length of words."""
        most = max(self.lengths.values(), default=1)
        rows: list[str] = []
        for length in sorted(self.lengths):
            stars = "*" * max(1, 20 * self.lengths[length] // most)
            rows.append(f"{length:>2} {stars:<20}|")
        return "\n".join(rows)


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, without marks at their ends."""
    found: list[str] = []
    for part in text.lower().split():
        word = part.strip(".,;:!?")
        if word and not word.isdigit():
            found.append(word)
    return found


def is_palindrome(word: str) -> bool:
    """Whether a word of several letters reads the same from its end."""
    return len(word) > 1 and word == word[::-1]


@script
def run(rounds: int) -> tuple[list[tuple[str, int]], str, float, list[str]]:
    """Return the commonest words, the histogram, the mean length, and the words in capitals."""
    statistics = Statistics()
    palindromes: list[str] = []
    for i in range(rounds):
        for sentence in SENTENCES:
            text = sentence.replace("fox", "civic") if i % 3 == 0 else sentence
            statistics.read(text)
            for word in words_of(text):
                if is_palindrome(word) and word not in palindromes:
                    palindromes.append(word)
    titles = [word.title() for word, _ in statistics.letters.commonest(3)]
    capitals = [word.upper() for word in palindromes] + titles
    return statistics.words.commonest(5), statistics.histogram(), statistics.mean_length, capitals


if __name__ == "__main__":
    print(run(300))
