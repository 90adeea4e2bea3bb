"""The trie finds what single patterns match, reads only the buckets along a path, and stays linear."""

import json
import random
import time
from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem.globs import dialect as globs
from gitmem.globs import trie
from tests.globs.test_dialect import PATH, PATTERN

PATH_BYTES = 65_536
HOSTILE_SECONDS = 0.1
GENEROUS = 5


def is_glob(pattern: str) -> bool:
    try:
        globs.parse(pattern)
    except globs.GlobError:
        return False
    return True


def found(buckets: dict[str, trie.Node], path: str) -> list[int]:
    keys = [key for key in trie.lookup_keys(path) if key in buckets]
    return sorted({value for key in keys for value in trie.match(buckets[key], key, path)})


def one_by_one(pairs: Iterable[tuple[str, int]], path: str) -> list[int]:
    return sorted({value for pattern, value in pairs if globs.matches(pattern, path)})


PATTERNS = st.lists(PATTERN.filter(is_glob), max_size=12)


@given(PATTERNS, st.lists(PATH, max_size=4))
@example(["{a/b,a/b}", "a/{b,**}", "{**,a}/b"], ["a/b", "b", "x/a/b"])
def test_buckets_find_what_single_patterns_match(patterns: list[str], paths: list[str]) -> None:
    pairs = [(pattern, number % 5) for number, pattern in enumerate(patterns)]
    buckets = json.loads(json.dumps(trie.build(pairs)))

    for path in paths:
        assert found(buckets, path) == one_by_one(pairs, path)


@settings(max_examples=40)
@given(PATTERNS, st.text("ab", min_size=1, max_size=3), st.text("ab", min_size=1, max_size=3))
def test_a_deep_path_finds_the_same(patterns: list[str], name: str, end: str) -> None:
    path = f"{name}/" * 100 + end
    pairs = [
        (pattern, number) for number, pattern in enumerate([*patterns, f"{name}/" * 90 + "**", f"{name}/**/{end}"])
    ]

    assert found(trie.build(pairs), path) == one_by_one(pairs, path)


@given(PATTERNS, st.lists(PATH, max_size=6))
def test_first_matches_are_the_first(patterns: list[str], paths: list[str]) -> None:
    firsts = [next((path for path in paths if globs.matches(pattern, path)), None) for pattern in patterns]

    assert trie.first_matches(patterns, paths) == firsts


def test_a_pattern_lies_in_the_bucket_of_its_literal_prefix() -> None:
    patterns = ["**/x", "src/**", "src/api/*.ts", "src/api/client.ts", "{src/ui,lib}/*.ts", "/a/", r"src/\*/[x]"]

    buckets = trie.build((pattern, number) for number, pattern in enumerate(patterns))

    assert sorted(buckets) == ["", "a", "lib", "src", "src/*", "src/api", "src/api/client.ts", "src/ui"]


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("a", ["", "a"]),
        ("src/api/client.ts", ["", "src", "src/api", "src/api/client.ts"]),
        ("src/[id]/*", ["", "src", "src/[id]", "src/[id]/*"]),
        ("vendor/.git/config", []),
        ("", []),
        ("a//b", []),
    ],
)
def test_a_path_asks_for_the_buckets_along_it(path: str, keys: list[str]) -> None:
    assert trie.lookup_keys(path) == keys


def test_a_bucket_off_the_path_gives_nothing() -> None:
    bucket = trie.build([("src/api/**", 1)])["src/api"]

    assert trie.match(bucket, "src/api", "src/api/x") == [1]
    assert trie.match(bucket, "src/api", "src/apix/x") == []
    assert trie.match(bucket, "src/api", "src") == []


def test_values_come_once_and_in_order_however_often_they_match() -> None:
    pairs = [("src/**", 9), ("src/**", 3), ("src/*", 9), ("src/{a,a}*", 3), ("src/**", 9), ("src/*.ts", 1)]

    assert found(trie.build(pairs), "src/a.ts") == [1, 3, 9]


def test_the_same_pairs_build_the_same_bytes() -> None:
    pairs = [(f"src/{{a{n},b/*}}/x?{n}*", n) for n in range(50)]

    assert json.dumps(trie.build(pairs)) == json.dumps(trie.build(list(pairs)))


def test_a_malformed_pattern_builds_nothing() -> None:
    with pytest.raises(globs.GlobError):
        trie.build([("src/**", 1), ("src/[", 2)])
    with pytest.raises(globs.GlobError):
        trie.first_matches(["src/["], ["src/a"])


def test_a_pattern_of_two_thousand_segments_survives_json() -> None:
    deep = "a/*/" * 1_000 + "b"
    buckets = json.loads(json.dumps(trie.build([(deep, 7), ("a/" * 2_000 + "c", 8)])))

    assert found(buckets, "a/x/" * 1_000 + "b") == [7]
    assert found(buckets, "a/" * 2_000 + "c") == [8]


def test_f_043_a_folder_called_star_has_a_bucket_of_its_own() -> None:
    buckets = trie.build([(r"\*/**", 1), ("*/**", 2), (r"src/\[id\]/**", 3), ("src/[id]/**", 4)])

    assert found(buckets, "*/page.tsx") == [1, 2]
    assert found(buckets, "src/[id]/***/page.tsx") == [2, 3]
    assert found(buckets, "src/i/page.tsx") == [2, 4]


@given(PATTERNS, st.lists(PATH, max_size=4))
@example(["a/**", "**/b"], ["a/" * 80 + "b", "a/.git/b", "/a/b"])
def test_all_matches_are_those_of_single_patterns(patterns: list[str], paths: list[str]) -> None:
    by_path = [(path, one_by_one([(p, n) for n, p in enumerate(patterns)], path)) for path in paths]

    assert list(trie.all_matches(patterns, paths)) == [(path, numbers) for path, numbers in by_path if numbers]


def test_first_matches_keeps_the_order_of_patterns_and_skips_git() -> None:
    paths = [".git/config", "src/a.ts", "src/b.ts"]

    assert trie.first_matches(["*.py", "src/*.ts", "**/config", "src/*.ts"], paths) == [
        None,
        "src/a.ts",
        None,
        "src/a.ts",
    ]


def letters(seed: int, alphabet: str, count: int) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=count))


HOSTILE_PATHS = {
    "one huge name, one letter": "a" * PATH_BYTES,
    "one huge name, random": letters(1, "abcdefghijklmnopqrstuvwxyz0123456789._-", PATH_BYTES),
    "equal names": "a/" * (PATH_BYTES // 2 - 1) + "b",
    "different short names": "/".join(f"{n:04x}" for n in range(PATH_BYTES // 5)),
    "different long names": "/".join(f"part{n}{letters(n, 'abcxyz', 8)}" for n in range(PATH_BYTES // 17)),
}
HOSTILE_PATTERNS = {
    "stars": [f"{'*a' * (n % 30)}*{n}b" for n in range(200)],
    "infixes": [f"*a{n}*b{n}*" for n in range(200)],
    "heads and tails": ["a" * (n % 14) + "*b*" + "a" * (n // 14) for n in range(200)],
    "double stars": [f"{'**/a/' * (n % 20)}**/x{n}" for n in range(200)],
    "double stars between wild names": [f"**/x{n}*/**/*y{n}*/z" for n in range(200)],
    "classes": [f"*[a-c]{'[!x]' * (n % 9)}z{n}*" for n in range(200)],
    "braces": [f"**/*{{a,b{n}}}*.{{ts,tsx{n}}}" for n in range(200)],
    "empty sides": [f"{'{,a}' * (n % 20)}{n}*" for n in range(200)],
    "question marks": ["?" * n + "*b" for n in range(200)],
}


@pytest.mark.capability("G-035")
@pytest.mark.parametrize("path", HOSTILE_PATHS.values(), ids=HOSTILE_PATHS)
@pytest.mark.parametrize("patterns", HOSTILE_PATTERNS.values(), ids=HOSTILE_PATTERNS)
def test_two_hundred_patterns_against_64_kib_stay_linear(patterns: list[str], path: str) -> None:
    buckets = trie.build((pattern, number) for number, pattern in enumerate(patterns))

    started = time.process_time()
    found(buckets, path)

    assert time.process_time() - started < HOSTILE_SECONDS * GENEROUS


@pytest.mark.capability("G-035")
@pytest.mark.parametrize("path", HOSTILE_PATHS.values(), ids=HOSTILE_PATHS)
def test_the_hardest_single_pattern_against_64_kib_stays_linear(path: str) -> None:
    for patterns in HOSTILE_PATTERNS.values():
        started = time.process_time()
        globs.matches(patterns[-1], path)

        assert time.process_time() - started < HOSTILE_SECONDS * GENEROUS


def rules(count: int) -> list[tuple[str, int]]:
    """A mix as in a large repository: folders, files in folders, names at any depth, single files."""
    mixed = [
        "src/mod{m}/**",
        "src/mod{m}/**",
        "src/mod{m}/**",
        "src/mod{m}/pkg{p}/*.ts",
        "src/mod{m}/pkg{p}/*.ts",
        "src/**/file{n}*.ts",
        "src/mod{m}/pkg{p}/file{n}.ts",
        "**/*.py",
        "src/mod{m}/**/*.test.{{ts,tsx}}",
        "**/{{api,ui}}{p}/**",
    ]
    return [(mixed[n // 400 % 10].format(m=n % 400, p=n % 7, n=n), n) for n in range(count)]


def files(count: int) -> list[str]:
    return [f"src/mod{n % 400}/pkg{n % 7}/file{n}.ts" for n in range(count)]


@pytest.mark.capability("R-001")
def test_ten_thousand_rules_and_five_files_take_milliseconds() -> None:
    buckets = trie.build(rules(10_000))
    targets = [files(50_000)[n] for n in (7, 12_345, 23_456, 34_567, 45_678)]
    matched = [len(found(buckets, target)) for target in targets]

    started = time.perf_counter()
    for target in targets:
        found(buckets, target)

    assert time.perf_counter() - started < 0.003 * GENEROUS
    assert sum(matched) > 40


@pytest.mark.long
def test_every_rule_of_ten_thousand_is_tried_on_fifty_thousand_files_in_seconds() -> None:
    patterns = [pattern for pattern, _ in rules(10_000)]

    started = time.perf_counter()
    firsts = trie.first_matches(patterns, files(50_000))

    assert time.perf_counter() - started < 3 * GENEROUS
    assert firsts[patterns.index("**/*.py")] is None
    assert firsts[0] == "src/mod0/pkg0/file0.ts"
