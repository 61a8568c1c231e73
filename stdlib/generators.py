"""What methods of generators do, in the script language."""


def close(generator):
    """End a generator where it waits."""
    try:
        given = generator.__thrown__(GeneratorExit())
    except GeneratorExit:
        return
    if given is not None:
        raise RuntimeError("generator ignored GeneratorExit")


def drop(generator):
    """End a generator that nothing refers to any more; what it raises then is ignored."""
    try:  # noqa: SIM105 -- `suppress` would be another module's
        generator.close()
    except BaseException:
        pass


def resumed(generator):
    """Resume a generator for Python: return the next item in a tuple, or None at its end."""
    return generator.__resume__()


def sent_to(generator, value):
    """Send something for Python, and return what resuming gives."""
    return generator.__sent__(value)


def refuse_sent(sent, kind):
    """Refuse what is sent to an iterator that is no generator."""
    if sent is not None:
        raise AttributeError(f"'{kind}' object has no attribute 'send'")


def item_given(given, generator):
    """Return the item that resuming gave; at the end, raise what the generator returned."""
    if given is None:
        if generator.__ended__():
            value = generator.__returned__()
            if value is not None:
                raise StopIteration(value)
        raise StopIteration
    return given[0]


def item_alone(given):
    """Return the item that resuming gave; an exception cannot hold what was returned."""
    if given is None:
        raise StopIteration
    return given[0]


def value_of(generator):
    """Return what a generator has just returned."""
    if generator.__ended__():
        return generator.__returned__()
    return None


def enter_manager(generator):
    """Return what a generator with `contextlib.contextmanager` gives to `with`."""
    try:
        return generator.__next__()
    except StopIteration:
        raise RuntimeError("generator didn't yield") from None


def leave_manager(generator, error) -> bool:
    """Let such a generator go on, where the body raised an exception: at its `yield`.

    Return whether it caught that.
    """
    if error is None:
        if generator.__resume__() is not None:
            raise RuntimeError("generator didn't stop")
        return False
    if generator.__thrown__(error) is not None:
        raise RuntimeError("generator didn't stop after throw()")
    return True
