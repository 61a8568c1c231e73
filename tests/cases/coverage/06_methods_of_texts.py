"""Methods of texts"""


# case: capitalize, casefold, lower, swapcase, title, upper
def example():
    s = "aBc d"
    return (s.capitalize(), s.casefold(), s.lower(), s.swapcase(), s.title(), s.upper())


# search: count, find, index, rfind, rindex, startswith, endswith
def example():
    s = "abcab"
    return (s.count("ab"), s.find("c"), s.index("b"), s.rfind("a"), s.rindex("b"), s.startswith("ab"), s.endswith(("x", "b")))


# tests: isalpha, isdigit, isalnum, isspace, isupper, islower, istitle, isidentifier, isnumeric, isdecimal, isprintable, isascii
def example():
    s = "ab1"
    return (s.isalpha(), s.isdigit(), s.isalnum(), s.isspace(), s.isupper(), s.islower(), s.istitle(), s.isidentifier(), s.isnumeric(), s.isdecimal(), s.isprintable(), s.isascii())


# parts: split, rsplit, splitlines, partition, rpartition, join
def example():
    s = "a,b,c"
    return (s.split(","), s.rsplit(",", 1), "a\nb".splitlines(), s.partition(","), s.rpartition(","), "-".join(["a", "b"]))


# edges: strip, lstrip, rstrip, removeprefix, removesuffix
def example():
    s = " ab "
    return (s.strip(), s.lstrip(), s.rstrip(), "ab".removeprefix("a"), "ab".removesuffix("b"))


# widths: center, ljust, rjust, zfill, expandtabs
def example():
    return ("a".center(3, "*"), "a".ljust(3), "a".rjust(3), "-1".zfill(4), "a\tb".expandtabs(4))


# replace, translate, maketrans
def example():
    return ("aXa".replace("a", "b", 1), "ab".translate(str.maketrans("ab", "cd")))


# format, % with written texts
def example():
    return ("{} {:.1f}".format(1, 2.5), "%d %s" % (1, "a"))


# encode
def example():
    return "é".encode()


# format_map
def example():
    return "{a}".format_map({"a": 1})
