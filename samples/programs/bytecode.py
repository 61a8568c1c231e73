"""A stack machine and an assembler for it: instructions are told apart by `match`."""

from dataclasses import dataclass
from enum import IntEnum

from scriptc import script

PRIMES = """
    push 2
    store n
next:
    load n
    push 1000
    less
    jump_unless end
    push 2
    store d
try:
    load d
    load d
    mul
    load n
    swap
    less
    jump_if prime
    load n
    load d
    mod
    jump_unless composite
    load d
    push 1
    add
    store d
    jump try
prime:
    load n
    print
composite:
    load n
    push 1
    add
    store n
    jump next
end:
    halt
"""


class Op(IntEnum):
    """What an instruction does."""

    PUSH = 1
    LOAD = 2
    STORE = 3
    ADD = 4
    SUB = 5
    MUL = 6
    MOD = 7
    LESS = 8
    SWAP = 9
    JUMP = 10
    JUMP_IF = 11
    JUMP_UNLESS = 12
    PRINT = 13
    HALT = 14


class MachineError(Exception):
    """What a machine cannot do, and where it was."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(f"{message} (instruction {place})")
        self.place = place


@dataclass(frozen=True)
class Instruction:
    """An operation with a number: a constant, a variable or a target."""

    op: Op
    number: int = 0


class Program:
    """Instructions, and the names of variables by number."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.variables: dict[str, int] = {}

    def variable(self, name: str) -> int:
        """Return the number of a variable, a new one where it has none."""
        return self.variables.setdefault(name, len(self.variables))


def assembled(text: str) -> Program:
    """Return the program of a text.  Raises MachineError."""
    program = Program()
    labels: dict[str, int] = {}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    place = 0
    for line in lines:
        if line.endswith(":"):
            labels[line[:-1]] = place
        else:
            place += 1
    for line in lines:
        match line.split():
            case [label] if label.endswith(":"):
                continue
            case ["push", number]:
                instruction = Instruction(Op.PUSH, int(number))
            case ["load" | "store" as name, variable]:
                op = Op.LOAD if name == "load" else Op.STORE
                instruction = Instruction(op, program.variable(variable))
            case ["jump" | "jump_if" | "jump_unless" as name, label]:
                if label not in labels:
                    raise MachineError(f"no label {label}", len(program.instructions))
                instruction = Instruction(Op[name.upper()], labels[label])
            case [name]:
                instruction = Instruction(Op[name.upper()])
            case _:
                raise MachineError(f"no instruction: {line}", len(program.instructions))
        program.instructions.append(instruction)
    return program


class Machine:
    """A stack, variables, and what was printed."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.stack: list[int] = []
        self.values = [0] * len(program.variables)
        self.printed: list[int] = []
        self.steps = 0

    def pop(self, place: int) -> int:
        """Take a number from the stack."""
        if not self.stack:
            raise MachineError("the stack is empty", place)
        return self.stack.pop()

    def run(self, limit: int) -> None:  # noqa: C901 -- one case for each operation
        """Run until the program halts, or for so many steps."""
        place = 0
        while self.steps < limit:
            self.steps += 1
            instruction = self.program.instructions[place]
            place += 1
            match instruction:
                case Instruction(Op.PUSH, number):
                    self.stack.append(number)
                case Instruction(Op.LOAD, number):
                    self.stack.append(self.values[number])
                case Instruction(Op.STORE, number):
                    self.values[number] = self.pop(place)
                case Instruction(Op.ADD | Op.SUB | Op.MUL | Op.MOD | Op.LESS as op):
                    right, left = self.pop(place), self.pop(place)
                    self.stack.append(calculated(op, left, right))
                case Instruction(Op.SWAP):
                    right, left = self.pop(place), self.pop(place)
                    self.stack += [right, left]
                case Instruction(Op.JUMP, target):
                    place = target
                case Instruction(Op.JUMP_IF, target):
                    if self.pop(place):
                        place = target
                case Instruction(Op.JUMP_UNLESS, target):
                    if not self.pop(place):
                        place = target
                case Instruction(Op.PRINT):
                    self.printed.append(self.pop(place))
                case Instruction(Op.HALT):
                    return
                case _:
                    raise MachineError(f"no operation {instruction.op.name}", place)
        raise MachineError("the program does not end", place)


def calculated(op: Op, left: int, right: int) -> int:
    """Return what an operation makes of two numbers."""
    match op:
        case Op.ADD:
            return left + right
        case Op.SUB:
            return left - right
        case Op.MUL:
            return left * right
        case Op.MOD:
            return left % right
        case _:
            return int(left < right)


@script
def run(rounds: int) -> tuple[list[int], int, int, str]:
    """Print primes again and again; return the last ones, their number, the steps, an error."""
    program = assembled(PRIMES)
    printed: list[int] = []
    steps, message = 0, ""
    for i in range(rounds):
        machine = Machine(program)
        machine.run(1_000_000)
        printed = machine.printed
        steps += machine.steps
        try:
            Machine(assembled("push 1\nadd" if i % 2 else "jump nowhere")).run(10)
        except MachineError as error:
            message = str(error)
    return printed[-3:], len(printed), steps, message


if __name__ == "__main__":
    print(run(20))
