"""How big modules, functions and guarded blocks may be. Refuses to count anything but syntax."""

import ast
from collections.abc import Iterator

from tests.house.source import Fault, Module, statements

MODULE_LINES = 400
FUNCTION_LINES = 50
PARAMETERS = 5
TRY_STATEMENTS = 6


def long_module(module: Module) -> Iterator[Fault]:
    if len(module.lines) > MODULE_LINES:
        yield module.fault(1, f"{len(module.lines)} lines; at most {MODULE_LINES}: split it by noun")


def long_function(module: Module) -> Iterator[Fault]:
    for function in module.functions():
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        if length > FUNCTION_LINES:
            yield module.fault(function.lineno, f"{function.name} has {length} lines; at most {FUNCTION_LINES}")


def many_parameters(module: Module) -> Iterator[Fault]:
    for function in module.functions():
        args = function.args
        names = [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        count = len(names) - (names[:1] in (["self"], ["cls"]))
        if count > PARAMETERS:
            message = f"{function.name} has {count} parameters; at most {PARAMETERS}, then a frozen request"
            yield module.fault(function.lineno, message)


def fat_try(module: Module) -> Iterator[Fault]:
    for node in module.nodes:
        if isinstance(node, ast.Try | ast.TryStar) and (count := statements(node.body)) > TRY_STATEMENTS:
            yield module.fault(node.lineno, f"{count} statements in a try; at most {TRY_STATEMENTS}: which one failed?")
