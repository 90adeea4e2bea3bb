"""Sources that are made to break a reader: shapes nested or repeated as often as is asked, in six languages."""

from collections.abc import Callable

LANGUAGES = ("python", "tsx", "java", "rust", "cpp", "php")
_BEGIN = {"php": "<?php\n", "java": "class A { int a = 1;\n", "rust": "fn a() {\n", "cpp": "int a() {\n"}
_LINE = {"python": "#"}
_NESTED_FUNCTION = {
    "python": "def a():",
    "tsx": "function a(){",
    "java": "class A{void a(){",
    "rust": "fn a(){",
    "cpp": "auto a=[]{",
    "php": "function a(){",
}
_ELSE_IF = {"python": "elif a: b\n", "rust": "else if a {} "}
_DECORATOR = {"python": "@a\n", "tsx": "@a ", "java": "@A ", "rust": "#[a] ", "cpp": "[[a]] ", "php": "#[A] "}
_COMMENT = {"python": '"""'}
_TEXT = {"rust": 'r#"', "python": "'''"}
_TEMPLATE = {"tsx": "`${", "python": 'f"{', "php": '"{$a['}

Shape = Callable[[str, int], str]
SHAPES: dict[str, Shape] = {
    "round brackets": lambda _, depth: "(" * depth + ")" * depth,
    "square brackets": lambda _, depth: "[" * depth + "]" * depth,
    "curly brackets": lambda _, depth: "{" * depth + "}" * depth,
    "brackets that stay open": lambda _, depth: "([{" * depth,
    "brackets that were never open": lambda _, depth: ")]}" * depth,
    "nested calls": lambda _, depth: "f(" * depth + ")" * depth,
    "generics": lambda _, depth: "A<" * depth + "B" + ">" * depth + " c",
    "a chain of sums": lambda _, depth: "a = " + "a + " * depth + "a;",
    "a chain of dots": lambda _, depth: "a" + ".b" * depth + ";",
    "a chain of calls": lambda _, depth: "a" + ".b()" * depth + ";",
    "else if": lambda language, depth: "if (a) {} " + _ELSE_IF.get(language, "else if (a) {} ") * depth,
    "functions in functions": lambda language, depth: "\n".join(
        (" " * number if language == "python" else "") + _NESTED_FUNCTION[language] for number in range(depth)
    ),
    "decorators": lambda language, depth: _DECORATOR[language] * depth,
    "an open text": lambda language, depth: _TEXT.get(language, '"') + "a\n" * depth,
    "an open comment": lambda language, depth: _COMMENT.get(language, "/*") + " a\n" * depth,
    "templates in templates": lambda language, depth: _TEMPLATE.get(language, '"a" + ') * depth,
    "elements": lambda _, depth: "<a>" * depth + "</a>" * depth,
    "no language at all": lambda _, depth: "\x01 = = ? ~ @@ \\ else ;; \xff => " * (depth // 8),
}


def source(shape: str, language: str, depth: int) -> bytes:
    """One that is too large for a reader is cut where the largest ends."""
    return (_BEGIN.get(language, "") + SHAPES[shape](language, depth)).encode("latin-1")
