"""Dicts that hold their like, and begin in fields: tries, folders, trees of settings."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Trie:
    def __init__(self):
        self.root = {}

    def insert(self, word):
        node = self.root
        for letter in word:
            node = node.setdefault(letter, {})
        node["$"] = word

    def find(self, word):
        node = self.root
        for letter in word:
            if letter not in node:
                return None
            node = node[letter]
        return node.get("$")


class Words:
    def __init__(self):
        self.root = {}

    def insert(self, word):
        node = self.root
        for letter in word:
            if letter not in node:
                node[letter] = {}
            node = node[letter]
        node["end"] = True

    def has(self, word):
        node = self.root
        for letter in word:
            if letter not in node:
                return False
            node = node[letter]
        return "end" in node

    def starting(self, prefix):
        node = self.root
        for letter in prefix:
            if letter not in node:
                return []
            node = node[letter]
        found = []
        self.walk(node, prefix, found)
        return found

    def walk(self, node, prefix, found):
        for key, value in node.items():
            if key == "end":
                found.append(prefix)
            else:
                self.walk(value, prefix + key, found)


class Files:
    def __init__(self):
        self.root = {}

    def write(self, path, text):
        *folders, name = path.split("/")
        folder = self.root
        for part in folders:
            folder = folder.setdefault(part, {})
        folder[name] = text

    def read(self, path):
        found = self.root
        for part in path.split("/"):
            found = found[part]
        return found


def found_in(words, asked):
    trie = Trie()
    for word in words:
        trie.insert(word)
    return [trie.find(word) for word in asked]


def words_in(words, prefix):
    kept = Words()
    for word in words:
        kept.insert(word)
    return kept.has(prefix), kept.has(words[0]), kept.starting(prefix)


def files(path):
    kept = Files()
    kept.write("a/b/c", "deep")
    kept.write("a/d", "less")
    kept.write("e", "top")
    try:
        return kept.read(path), sorted(kept.read("a"))
    except (KeyError, TypeError) as error:
        return type(error).__name__, str(error)


CASES: list[Case] = [
    (found_in, [(["abc", "ab", "b"], ["ab", "zz", "b", "a"]), (["x"], [""])]),
    (words_in, [(["abc", "ab", "b"], "a"), (["abc"], "z")]),
    (files, [("a/b/c",), ("e",), ("a/x",), ("e/x",)]),
]
