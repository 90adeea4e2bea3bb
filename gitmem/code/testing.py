"""Which files are tests, by the names that people usually give them. Refuses to look inside."""

import re

_NAMES = re.compile(
    r"test_.+\.pyi?|.+_tests?\.(py|pyi|go|c|cc|cpp|cs|ex|exs|rs|rb|dart|lua)|tests?\.py"
    r"|.+[.-](test|tests|spec|cy|e2e)\.([cm]?[jt]sx?|vue)"
    r"|(Test.+|.+(Test|Tests|TestCase|IT|Spec))\.(java|kt|kts|scala|groovy|swift|php|cs)"
    r"|.+_spec\.(rb|lua)",
    re.DOTALL,
)
_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e"})
# In these folders of tests, a file of one of these languages is a test, unless it only serves others.
_IN_FOLDER = re.compile(r".+\.(py|[cm]?[jt]sx?|rb|php|ex|exs|sh|bats|lua|rs|swift|dart)", re.DOTALL)
_SERVING = re.compile(
    r"__init__\.pyi?|conftest\.py|.+\.d\.ts|.+\.config\.[cm]?[jt]s|(setup|global-?setup)\.[cm]?[jt]sx?"
)
_SERVING_FOLDERS = frozenset({"fixtures", "__fixtures__", "testdata", "__mocks__", "mocks", "node_modules"})


def is_test(path: str) -> bool:
    """Whether the path is that of a test: by its name in any folder, or by a folder of tests."""
    *folders, name = path.split("/")
    if not _SERVING_FOLDERS.isdisjoint(folders) or _SERVING.fullmatch(name):
        return False
    if is_named_as_test(path):
        return True
    return not _FOLDERS.isdisjoint(folders) and bool(_IN_FOLDER.fullmatch(name))


def is_named_as_test(path: str) -> bool:
    """Whether the file's own name says so: in a folder of tests, files may also serve the tests beside them."""
    return _NAMES.fullmatch(path.rpartition("/")[2]) is not None


def is_of_package(test: str, path: str) -> bool:
    """Whether a test sees the file without an import: any of the same Go package, in Java the one that is named after
    it in the same package."""
    if path.endswith(".go"):
        return test.endswith("_test.go") and test.rpartition("/")[0] == path.rpartition("/")[0]
    if not (path.endswith(".java") and test.endswith(".java")):
        return False
    (package, name), (other, stem) = _java_class(path), _java_class(test)
    return (
        package == other
        and re.fullmatch(f"Test{re.escape(name)}|{re.escape(name)}(Tests?|TestCase|IT)", stem) is not None
    )


def _java_class(path: str) -> tuple[str, str]:
    """The folder below the one that holds sources, and the name of the class."""
    folder, _, name = f"/{path}".rpartition("/")
    return re.split("/(?:java|src|test|tests)(?=/|$)", folder)[-1], name.removesuffix(".java")
