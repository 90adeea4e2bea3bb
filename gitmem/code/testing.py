"""Which files are tests, by the names that people usually give them. Refuses to look inside."""

import re

_NAMES = re.compile(
    r"test_.+\.pyi?|.+_tests?\.(py|pyi|go|c|cc|cpp|cs|ex|exs|rs|rb|dart|lua)|tests?\.py"
    r"|.+[.-](test|tests|spec|cy|e2e)\.([cm]?[jt]sx?|vue)"
    r"|(Test.+|.+(Test|Tests|TestCase|IT|Spec))\.(java|kt|kts|scala|groovy|swift|php|cs)"
    r"|.+_spec\.(rb|lua)",
    re.DOTALL,
)
# What the name of a class gets to be that of its test.
_TESTING = re.compile(r"^Test(?=.)|(Tests?|TestCase|IT)(?=\.java$)")
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


def package_of(path: str) -> str:
    """What a test may see without an import: the Go package of the file, the Java class in its package; '' for none."""
    folder, _, name = path.rpartition("/")
    if name.endswith(".go"):
        return f"{folder}/*.go"
    return f"{_java_package(folder)}/{name}" if name.endswith(".java") else ""


def package_tested(test: str) -> str:
    """The ``package_of`` whatever the test is of without an import, by its folder and, in Java, by its name too."""
    folder, _, name = test.rpartition("/")
    if name.endswith(".go"):
        return f"{folder}/*.go"
    return f"{_java_package(folder)}/{_TESTING.sub('', name)}" if name.endswith(".java") else ""


def _java_package(folder: str) -> str:
    """The folder below the one that holds sources."""
    return re.split("/(?:java|src|test|tests)(?=/|$)", f"/{folder}")[-1]
