"""Sorting of lists, in the script language: texts and ints by digits, all else by merging runs."""

import numpy as np

from scriptc_runtime import unsafe


def sort(items, descending: bool) -> None:
    """Sort a list by merging runs; equal items stay in their order."""
    size = len(items)
    if size > 8 and in_order(items, descending):
        return
    source = list(items)
    width = 8
    for low in range(0, size, width):
        sort_few(source, low, min(low + width, size), descending)
    target = list(source)
    while width < size:
        for low in range(0, size, 2 * width):
            middle = min(low + width, size)
            merge(source, target, low, middle, min(middle + width, size), descending)
        source, target = target, source
        width *= 2
    unsafe.list_replace(items, 0, size, source)


def in_order(items, descending: bool) -> bool:
    """Return whether a list is sorted; one whose items all stand the other way round is turned."""
    size = len(items)
    one, other = items[0], items[1]
    turned = one < other if descending else other < one
    for i in range(1, size):
        before, item = items[i - 1], items[i]
        if (before < item if descending else item < before) != turned:
            return False
    if turned:
        items.reverse()
    return True


def sort_ints(items, descending: bool) -> None:
    """Sort a list of ints, many as NumPy sorts an array."""
    size = len(items)
    if size <= 16:
        sort_few(items, 0, size, descending)
    elif not in_order(items, descending):
        array = np.array(items)
        array.sort()
        for i in range(size):
            items[i] = int(array[size - 1 - i] if descending else array[i])


def sort_floats(items, descending: bool) -> None:
    """Sort a list of floats, many as NumPy sorts an array."""
    size = len(items)
    if size <= 16:
        sort_few(items, 0, size, descending)
        return
    if in_order(items, descending):
        return
    # Of equal ones zeros alone are not the same, and stay in their order.
    zeros = [item for item in items if item == 0.0]
    array = np.array(items)
    array.sort()
    for i in range(size):
        items[i] = float(array[size - 1 - i] if descending else array[i])
    if len(zeros) > 1:
        place = 0
        while items[place] != 0.0:
            place += 1
        for zero in zeros:
            items[place] = zero
            place += 1


def sorted_words(words, first: int, descending: bool):
    """Return ints in the order of their bits from one on; those that are equal stay in theirs.

    Bits that are the same in all are passed over.
    """
    differing = 0
    for word in words:
        differing |= word ^ words[0]
    width = 11 if len(words) > 1000 else 8
    mask = (1 << width) - 1
    other = list(words)
    for shift in range(first, 64, width):
        if differing >> shift & mask != 0:
            # The sign is the last of the bits, which says the opposite.
            turned = 1 << width - 1 if shift + width >= 64 else 0
            sort_by_bits(words, other, shift, mask, turned ^ (mask if descending else 0))
            words, other = other, words
    return words


def sort_by_bits(words, other, shift: int, mask: int, turned: int) -> None:
    """Write words to another list in the order of some of their bits, a few of them turned."""
    places = [0]
    while len(places) <= mask:
        places.extend(places)
    for word in words:
        places[word >> shift & mask ^ turned] += 1
    behind = 0
    for bits in range(mask + 1):
        count = places[bits]
        places[bits] = behind
        behind += count
    for word in words:
        bits = word >> shift & mask ^ turned
        place = places[bits]
        other[place] = word
        places[bits] = place + 1


def order_by_digits(keys, descending: bool):
    """Return the places of texts or ints in order; none where they are to be compared."""
    order: list[int] = []
    first = keys[0]
    if unsafe.is_of(first, "str"):
        order = order_of_texts(keys, descending)
    elif unsafe.is_of(first, "int bigint bool") and len(keys) > 64:
        order = order_of_ints(keys, descending)
    return order


def order_of_ints(keys, descending: bool):
    """Return the places of ints in order, equal ones in theirs; none if they lie far apart."""
    low, high = keys[0], keys[0]
    for key in keys:
        low = min(low, key)
        high = max(high, key)
    bits = (len(keys) - 1).bit_length()
    words: list[int] = []
    if low >= -(1 << 61) and high <= 1 << 61 and int(high - low) < 1 << 62 - bits:
        for place in range(len(keys)):
            distance = int(high - keys[place] if descending else keys[place] - low)
            words.append(distance << bits | place)
        words = sorted_words(words, bits, False)
    return [word & (1 << bits) - 1 for word in words]


def sort_few(items, low: int, high: int, descending: bool) -> None:
    """Sort a part of a list, by putting each item where it belongs among those before it."""
    if low < 0:
        return  # not so: it tells the compiler that no place counts from the end
    for k in range(low + 1, high):
        item = items[k]
        place = k
        while place > low:
            before = items[place - 1]
            if not (before < item if descending else item < before):
                break
            items[place] = before
            place -= 1
        if place < k:
            items[place] = item


def merge(source, target, low: int, middle: int, high: int, descending: bool) -> None:
    """Merge two sorted runs of `source`."""
    if low < 0 or middle < low:
        return  # not so, as above
    i, j, k = low, middle, low
    if middle < high:
        first, last = source[middle], source[middle - 1]
        if not (last < first if descending else first < last):
            j = high  # all of it is behind the other run
    while i < middle and j < high:
        left, right = source[i], source[j]
        is_right = left < right if descending else right < left
        if isinstance(left, (int, float)):
            # Computed, as no processor foresees which of two numbers is less.
            target[k] = right if is_right else left
            j += int(is_right)
            i += int(not is_right)
        elif is_right:
            target[k] = right
            j += 1
        else:
            target[k] = left
            i += 1
        k += 1
    for place in range(i, middle):
        target[k] = source[place]
        k += 1
    for place in range(k, high):
        target[place] = source[place]


def sort_texts(items, descending: bool) -> None:
    """Sort a list of texts."""
    if len(items) < 2 or in_order(items, descending):
        return
    given = list(items)
    order = order_of_texts(given, descending)
    for place in range(len(given)):
        items[place] = given[order[place]]


def order_of_texts(texts, descending: bool):
    """Return the places of texts in order; equal ones stay in theirs.

    What is sorted are numbers: characters behind those that all texts share. Texts with the same
    number are a part that is sorted by the next characters; after some rounds by merging, as each
    round may leave but few texts behind: "a", "aa", "aaa".
    """
    order = [place for place in range(len(texts))]
    parts = [(0, len(texts), 0, 0)]
    while len(parts) > 0:
        low, high, shared, rounds = parts.pop()
        if high - low <= 12:
            order_few(order, texts, low, high, descending)
        elif rounds < 8:
            order_part(order, texts, low, high, shared, rounds, descending, parts)
        else:
            order[low:high] = merged_places(order[low:high], texts, None, descending)
    return order


def order_few(order, keys, low: int, high: int, descending: bool) -> None:
    """Put some places in the order of their keys, each among those before it."""
    if low < 0:
        return  # not so, as above
    for k in range(low + 1, high):
        this = order[k]
        key = keys[this]
        place = k
        while place > low:
            before = keys[order[place - 1]]
            if not (before < key if descending else key < before):
                break
            order[place] = order[place - 1]
            place -= 1
        order[place] = this


def order_part(
    order, texts, low: int, high: int, shared: int, rounds: int, descending: bool, parts
) -> None:
    """Put some places in the order of the texts' next characters, and add parts that are equal.

    The texts are known to share some characters, so that none is looked at twice.
    """
    skip = shared_start(order, texts, low, high, shared)
    size = high - low
    bits = (size - 1).bit_length()
    # A digit stands for a character, zero for none: in Latin-1, if all of them are.
    base = 257
    count = digits_in_word(base, bits)
    words = numbers_of_starts(order, texts, low, high, skip, base, count, bits, descending)
    if len(words) < size:
        base = 0x110001
        count = digits_in_word(base, bits)
        words = numbers_of_starts(order, texts, low, high, skip, base, count, bits, descending)
    words = sorted_words(words, bits, False)
    given = [order[place] for place in range(low, high)]
    last = base - 1 if descending else 0
    first = 0
    for i in range(size):
        order[low + i] = given[words[i] & (1 << bits) - 1]
        if i + 1 == size or words[i + 1] >> bits != words[first] >> bits:
            # Texts that have ended are equal.
            if i > first and (words[first] >> bits) % base != last:
                parts.append((low + first, low + i + 1, skip + count, rounds + 1))
            first = i + 1


def shared_start(order, texts, low: int, high: int, shared: int) -> int:
    """Return how many characters some texts begin with that are the same: `shared` at least."""
    start = texts[order[low]][shared:]
    size = len(start)
    for k in range(low + 1, high):
        text = texts[order[k]]
        if len(text) < shared + size or unsafe.str_find(text, start, shared, shared + size) < 0:
            least = min(size, len(text) - shared)
            size = 0
            while size < least and ord(start[size]) == ord(text[shared + size]):
                size += 1
            start = start[:size]
    return shared + size


def digits_in_word(base: int, bits: int) -> int:
    """Return how many digits a number has beside some bits."""
    count = 1
    most = base
    while most <= (1 << 63 - bits - 1) // base:
        most *= base
        count += 1
    return count


def numbers_of_starts(
    order, texts, low: int, high: int, skip: int, base: int, count: int, bits: int, descending: bool
):
    """Return numbers in the order of texts' next characters, whose last bits are the places.

    They end where a character is none of the digits.
    """
    most = base**count
    words: list[int] = []
    for k in range(low, high):
        text = texts[order[k]]
        size = len(text)
        number = 0
        for i in range(skip, skip + count):
            digit = ord(text[i]) + 1 if i < size else 0
            if digit >= base:
                return words
            number = number * base + digit
        if descending:
            number = most - 1 - number
        words.append(number << bits | k - low)
    return words


def sort_by(items, key, reverse: bool = False) -> None:
    """Sort a list by what a function makes of its items; equal ones stay in their order."""
    keys = []
    given = list(items)
    for i in range(len(given)):
        keys.append(key(given[i]))
    put_in_order(items, given, keys, None, reverse)


def sort_compared(items, compare, reverse: bool = False) -> None:
    """Sort a list by a function that compares two items, as `functools.cmp_to_key` lets it."""
    given = list(items)
    put_in_order(items, given, given, compare, reverse)


def sort_by_emptied(items, key, reverse: bool = False) -> None:
    """Sort a list by a function that may look at it, to which it is empty meanwhile."""
    given, ordered = list(items), list(items)
    keys, changed = [], False
    items.clear()
    try:
        for i in range(len(given)):
            keys.append(key(given[i]))
        put_in_order(ordered, given, keys, None, reverse)
    finally:
        changed = len(items) > 0
        items[:] = ordered
    if changed:
        raise ValueError("list modified during sort")


def sort_compared_emptied(items, compare, reverse: bool = False) -> None:
    """Sort a list by a function that compares, and may look at it, to which it is empty."""
    given, ordered, changed = list(items), list(items), False
    items.clear()
    try:
        put_in_order(ordered, given, given, compare, reverse)
    finally:
        changed = len(items) > 0
        items[:] = ordered
    if changed:
        raise ValueError("list modified during sort")


def put_in_order(items, given, keys, compare, descending: bool) -> None:
    """Put into `items` those of `given` in the order of their keys."""
    if compare is None and len(keys) > 8:
        order = order_by_digits(keys, descending)
        for i in range(len(order)):
            items[i] = given[order[i]]
        if len(order) > 0:
            return
    places = merged_places([place for place in range(len(given))], keys, compare, descending)
    for i in range(len(places)):
        items[i] = given[places[i]]


def merged_places(given, keys, compare, descending: bool):
    """Return places in the order of their keys, by rounds of merging."""
    places = list(given)
    width = 1
    if compare is None:
        width = 8
        for low in range(0, len(places), width):
            order_few(places, keys, low, min(low + width, len(places)), descending)
    target = list(places)
    while width < len(places):
        for low in range(0, len(places), 2 * width):
            middle = min(low + width, len(places))
            high = min(middle + width, len(places))
            merge_places(places, target, keys, compare, low, middle, high, descending)
        places, target = target, places
        width *= 2
    return places


def merge_places(
    source, target, keys, compare, low: int, middle: int, high: int, descending: bool
) -> None:
    """Merge two runs of places of `source` that are sorted by their keys."""
    if low < 0 or middle < low:
        return  # not so, as above
    i, j = low, middle
    if compare is None and middle < high:
        last, first = keys[source[middle - 1]], keys[source[middle]]
        if not (last < first if descending else first < last):
            for k in range(low, high):
                target[k] = source[k]
            return
    for k in range(low, high):
        if i >= middle:
            right = True
        elif j >= high:
            right = False
        else:
            one, other = (source[i], source[j]) if descending else (source[j], source[i])
            if compare is None:
                right = keys[one] < keys[other]
            else:
                right = compare(keys[one], keys[other]) < 0
        if right:
            target[k] = source[j]
            j += 1
        else:
            target[k] = source[i]
            i += 1
