"""A tokenizer by byte pair encoding: learns merges from a text, encodes and decodes with them.

P. Gage, A new algorithm for data compression, C Users Journal 12 (1994); R. Sennrich et al., Neural
machine translation of rare words with subword units, ACL 2016.
"""

from itertools import pairwise

from scriptc import script

WORDS = (
    "low lower lowest newer newest wider widest slow slower slowest "
    "show shower showers tower towers flow flower flowers grow grower growing "
)


class Tokenizer:
    """Tokens by number: characters first, then what was merged of two others."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.texts: list[str] = []
        self.merges: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, text: str) -> int:
        """Return the number of a token, a new one where it has none."""
        if text not in self.numbers:
            self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return self.numbers[text]

    def train(self, text: str, size: int) -> None:
        """Merge the most frequent pairs of a text until there are `size` tokens."""
        counts: dict[str, int] = {}
        for word in text.split():
            counts[word] = counts.get(word, 0) + 1
        words = [[self.number(letter) for letter in word] for word in counts]
        frequencies = list(counts.values())
        while len(self.texts) < size:
            pairs = self._pairs(words, frequencies)
            if not pairs:
                break
            best = self._most_frequent(pairs)
            merged = self.number(self.texts[best[0]] + self.texts[best[1]])
            self.merges[best] = merged
            words = [merge(word, best, merged) for word in words]

    def _pairs(self, words: list[list[int]], frequencies: list[int]) -> dict[tuple[int, int], int]:
        pairs: dict[tuple[int, int], int] = {}
        for word, frequency in zip(words, frequencies, strict=True):
            for left, right in pairwise(word):
                pairs[left, right] = pairs.get((left, right), 0) + frequency
        return pairs

    def _most_frequent(self, pairs: dict[tuple[int, int], int]) -> tuple[int, int]:
        return max(pairs, key=lambda pair: (pairs[pair], -pair[0], -pair[1]))

    def encode(self, word: str) -> list[int]:
        """Return the tokens of a word, whose letters must be known."""
        tokens: list[int] = []
        for letter in word:
            if letter not in self.numbers:
                raise KeyError(letter)
            tokens.append(self.numbers[letter])
        while len(tokens) > 1:
            pairs = [pair for pair in pairwise(tokens) if pair in self.merges]
            if not pairs:
                break
            best = min(pairs, key=lambda pair: self.merges[pair])
            tokens = merge(tokens, best, self.merges[best])
        return tokens

    def decode(self, tokens: list[int]) -> str:
        """Return the text of tokens."""
        return "".join([self.texts[token] for token in tokens])


def merge(tokens: list[int], pair: tuple[int, int], merged: int) -> list[int]:
    """Return tokens with one in the place of each pair."""
    found: list[int] = []
    place = 0
    while place < len(tokens):
        if place + 1 < len(tokens) and (tokens[place], tokens[place + 1]) == pair:
            found.append(merged)
            place += 2
        else:
            found.append(tokens[place])
            place += 1
    return found


@script
def run(rounds: int) -> tuple[int, list[str], float, str]:
    """Return the number of tokens, the longest, how many letters each stands for, and a text."""
    tokenizer = Tokenizer()
    tokenizer.train(WORDS * 3, 60)
    letters, tokens, unknown = 0, 0, 0
    for i in range(rounds):
        for word in WORDS.split():
            given = word if i % 10 else word + "x"
            try:
                found = tokenizer.encode(given)
            except KeyError:
                unknown += 1
                continue
            assert tokenizer.decode(found) == given
            letters += len(given)
            tokens += len(found)
    longest = sorted(tokenizer.texts, key=lambda text: (-len(text), text))[:4]
    shown = "|".join(tokenizer.texts[token] for token in tokenizer.encode("slowest"))
    return len(tokenizer), longest, letters / max(tokens, 1), f"{shown} {unknown}"


if __name__ == "__main__":
    print(run(200))
