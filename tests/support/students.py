"""Classes that keep lists of Python's, and programs that compare them with plain ones."""

# Types come from the calls.
# pyright: basic

from typing import Any

from scriptc import script

BACKENDS = ["interp", "llvm"]


def students(decorate) -> tuple[Any, Any]:
    """Return a class that keeps a list, and one that keeps a list of its objects."""

    @decorate
    class Student:
        def __init__(self, name, scores):
            self.name = name
            self.scores = scores

        def average(self):
            return sum(self.scores) / len(self.scores) if self.scores else 0.0

        def add(self, score):
            self.scores.append(score)

        def replace(self, scores):
            self.scores = scores

    @decorate
    class Course:
        def __init__(self, title, students=None):
            self.title = title
            self.students = students or []

        def best(self):
            return max(self.students, key=lambda student: student.average())

        def enroll(self, student):
            self.students.append(student)

        def averages(self):
            return {student.name: student.average() for student in self.students}

    return Student, Course


def both(program):
    """Return what a program gives with plain classes, and with those of each backend."""
    found = [program(lambda cls: cls)]
    found += [program(script(backend=backend)) for backend in BACKENDS]
    return found


def same(program):
    plain, *scripted = both(program)
    for found in scripted:
        assert found == plain
    return plain
