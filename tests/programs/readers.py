"""Readers of nested texts, and what walks what they give: lists and dicts that hold their like."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic
# ruff: noqa: E501, B007, F841 -- how people write it

from tests.programs import Case


def scalar_yaml(text):
    if text in ("true", "false"):
        return text == "true"
    if text == "null":
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def indent_of_yaml(line):
    return len(line) - len(line.lstrip(" "))


def parse_block_yaml(lines, at, indent):
    if lines[at].lstrip().startswith("- "):
        items = []
        while (
            at < len(lines)
            and indent_of_yaml(lines[at]) == indent
            and lines[at].lstrip().startswith("- ")
        ):
            rest = lines[at].strip()[2:]
            items.append(scalar_yaml(rest))
            at += 1
        return items, at
    found = {}
    while at < len(lines) and indent_of_yaml(lines[at]) == indent:
        key, _, rest = lines[at].strip().partition(":")
        rest = rest.strip()
        at += 1
        if rest:
            found[key] = scalar_yaml(rest)
        elif at < len(lines) and indent_of_yaml(lines[at]) > indent:
            found[key], at = parse_block_yaml(lines, at, indent_of_yaml(lines[at]))
        else:
            found[key] = None
    return found, at


def dump_yaml(value, indent=0):
    pad = " " * indent
    if isinstance(value, dict):
        lines = []
        for key, inner in value.items():
            if isinstance(inner, (dict, list)) and inner:
                lines.append(f"{pad}{key}:")
                lines.extend(dump_yaml(inner, indent + 2))
            else:
                lines.append(f"{pad}{key}: {inner}")
        return lines
    if isinstance(value, list):
        return [f"{pad}- {item}" for item in value]
    return [f"{pad}{value}"]


def yaml(text):
    lines = [line for line in text.splitlines() if line.strip()]
    doc, _ = parse_block_yaml(lines, 0, 0)
    return doc, "\n".join(dump_yaml(doc)), len(doc)


class SymbolQuoted(str):
    pass


def tokenize_quoted(text):
    return text.replace("(", " ( ").replace(")", " ) ").replace("'", " ' ").split()


def parse_quoted(tokens):
    if not tokens:
        raise SyntaxError("unexpected end")
    token = tokens.pop(0)
    if token == "'":
        return ["quote", parse_quoted(tokens)]
    if token == "(":
        out = []
        while tokens and tokens[0] != ")":
            out.append(parse_quoted(tokens))
        if not tokens:
            raise SyntaxError("missing )")
        tokens.pop(0)
        return out
    if token == ")":
        raise SyntaxError("unexpected )")
    try:
        return int(token)
    except ValueError:
        return token


def evaluate_quoted(x, env):
    if isinstance(x, str):
        return env[x]
    if not isinstance(x, list):
        return x
    if x[0] == "quote":
        return x[1]
    if x[0] == "if":
        _, test, yes, no = x
        return evaluate_quoted(yes if evaluate_quoted(test, env) else no, env)
    if x[0] == "+":
        return evaluate_quoted(x[1], env) + evaluate_quoted(x[2], env)
    if x[0] == "*":
        return evaluate_quoted(x[1], env) * evaluate_quoted(x[2], env)
    if x[0] == "list":
        return [evaluate_quoted(arg, env) for arg in x[1:]]
    if x[0] == "car":
        return evaluate_quoted(x[1], env)[0]
    if x[0] == "cdr":
        return evaluate_quoted(x[1], env)[1:]
    raise ValueError(f"unknown {x[0]}")


def show_quoted(x):
    if isinstance(x, list):
        if len(x) == 2 and x[0] == "quote":
            return "'" + show_quoted(x[1])
        return "(" + " ".join(map(show_quoted, x)) + ")"
    return str(x)


def quoted(text):
    try:
        tree = parse_quoted(tokenize_quoted(text))
        value = evaluate_quoted(tree, {"x": 5, "y": 7})
        return show_quoted(tree), show_quoted(value), value
    except (SyntaxError, ValueError, KeyError) as e:
        return type(e).__name__, str(e), None


def build_directories(paths):
    root = {}
    for path in paths:
        parts = path.split("/")
        here = root
        for part in parts[:-1]:
            here = here.setdefault(part, {})
        here[parts[-1]] = len(path)
    return root


def size_directories(tree):
    total = 0
    for name, node in tree.items():
        if isinstance(node, dict):
            total += size_directories(node)
        else:
            total += node
    return total


def listing_directories(tree, prefix=""):
    out = []
    for name in sorted(tree):
        node = tree[name]
        if isinstance(node, dict):
            out.append(prefix + name + "/")
            out.extend(listing_directories(node, prefix + name + "/"))
        else:
            out.append(f"{prefix}{name} ({node})")
    return out


def largest_directories(tree):
    best = ("", -1)
    stack = [("", tree)]
    while stack:
        prefix, node = stack.pop()
        for name, inner in node.items():
            if isinstance(inner, dict):
                stack.append((prefix + name + "/", inner))
            elif inner > best[1]:
                best = (prefix + name, inner)
    return best


def directories(paths):
    tree = build_directories(paths)
    return tree, size_directories(tree), listing_directories(tree), largest_directories(tree)


def parse_json_brackets(text):
    stack = []
    for token in text.split():
        if token == "[":
            new = []
        elif token == "]":
            done = stack.pop()
            if not stack:
                return done
            continue
        else:
            stack[-1].append(int(token))
            continue
        if stack:
            stack[-1].append(new)
        stack.append(new)
    return None


def brackets(text):
    return parse_json_brackets(text)


def parse_json_stacked(text):
    stack = []
    current = None
    result = None
    key = None
    for token in text.split():
        if token == "[":
            new = []
        elif token == "]":
            done = stack.pop()
            if not stack:
                return done
            continue
        else:
            stack[-1].append(int(token))
            continue
        if stack:
            stack[-1].append(new)
        stack.append(new)
    return None


def rpn_stacked(tokens):
    stack = []
    for t in tokens:
        if t in "+-*":
            b, a = stack.pop(), stack.pop()
            stack.append([t, a, b])
        else:
            stack.append(int(t))
    return stack.pop()


def value_stacked(tree):
    if isinstance(tree, int):
        return tree
    op, a, b = tree
    if op == "+":
        return value_stacked(a) + value_stacked(b)
    if op == "-":
        return value_stacked(a) - value_stacked(b)
    return value_stacked(a) * value_stacked(b)


def stacked(text, tokens):
    tree = rpn_stacked(tokens.split())
    return parse_json_stacked(text), tree, value_stacked(tree)


CASES: list[Case] = [
    (
        yaml,
        [
            (
                "name: demo\nsize: 3\nratio: 0.5\nserver:\n  host: local\n  ports:\n    - 80\n    - 443\n  on: true\nempty:\n",
            ),
            ("- 1\n- a\n- 2.5\n",),
        ],
    ),
    (
        quoted,
        [
            ("(+ 1 (* x 3))",),
            ("'(a (b c) 3)",),
            ("(car (cdr '(1 2 3)))",),
            ("(list 1 '(2 z) (if 0 1 y))",),
            ("(foo 1)",),
            ("(+ 1",),
            ("z",),
        ],
    ),
    (directories, [(["a/b/c.txt", "a/d.txt", "e.txt", "a/b/f.txt"],), (["x"],)]),
    (brackets, [("[ 1 [ 2 3 ] [ [ 4 ] ] ]",), ("[ ]",)]),
    (stacked, [("[ 1 [ 2 3 ] [ [ 4 ] ] ]", "1 2 + 3 *"), ("[ ]", "7")]),
]
