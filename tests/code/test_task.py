"""What a task in words names."""

import time

import pytest

from gitmem.code import task
from gitmem.code.frames import Frame
from gitmem.code.task import Route

TRACES = {
    "python": ('  File "src/app/login.py", line 40, in retry', Frame("src/app/login.py", 40, "retry")),
    "javascript": (
        "    at Basket.total (/srv/web/lib/basket.js:12:7)",
        Frame("/srv/web/lib/basket.js", 12, "Basket.total"),
    ),
    "javascript without a name": ("    at file:///srv/lib/run.mjs:3:1", Frame("/srv/lib/run.mjs", 3, "")),
    "java": ("\tat org.shop.Till$Drawer.open(Till.java:77)", Frame("Till.java", 77, "Till.Drawer.open")),
    "go": (
        "shop/till.(*Drawer).Open(0xc000)\n\t/srv/shop/till/drawer.go:31 +0x1d",
        Frame("/srv/shop/till/drawer.go", 31, "till.Drawer.Open"),
    ),
    "rust": ("   4: shop::till::open\n             at ./src/till.rs:9:5", Frame("./src/till.rs", 9, "shop.till.open")),
    "rust panic": ("thread 'main' panicked at src/main.rs:2:5:", Frame("src/main.rs", 2, "")),
    "ruby": ("lib/till.rb:15:in `block in open'", Frame("lib/till.rb", 15, "open")),
    "php": ("#1 /srv/src/Till.php(22): Shop\\Till->open()", Frame("/srv/src/Till.php", 22, "Shop.Till.open")),
    "csharp": (
        "   at Shop.Till.Open(Int32 a) in C:\\src\\Till.cs:line 8",
        Frame("C:\\src\\Till.cs", 8, "Shop.Till.Open"),
    ),
}


@pytest.mark.capability("C-022")
@pytest.mark.parametrize("name", TRACES)
def test_a_line_of_a_trace_gives_its_file_line_and_function(name: str) -> None:
    text, frame = TRACES[name]

    assert task.read(f"It fails:\n\n{text}\n").frames == (frame,)


@pytest.mark.capability("C-022")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Rename loginRetry to login_retry", ("loginRetry", "login_retry")),
        ("Foo.bar gives up", ("Foo.bar",)),
        ("till::open leaks", ("till.open",)),
        ("Shop\\Till->open() fails", ("Shop.Till.open",)),
        ("retry() gives up", ("retry",)),
        ("the word `retry` alone", ("retry",)),
        ("fix(parser): one more comma", ()),
        ("Add, fix and remove what is broken", ()),
        ("_Describe what you did_ in e.g. GitHub", ()),
        ("see README.md and example.com", ()),
    ],
)
def test_only_what_code_alone_has_is_an_identifier(text: str, names: tuple[str, ...]) -> None:
    assert task.read(text).identifiers == names


@pytest.mark.capability("C-022")
@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("fix address", "fix"),
        ("the address of the shop", ""),
        ("Prefix every address", ""),
        ("Add the address", "add"),
        ("feat(cart): show the sum", "add"),
        ("How does the till open?", "explain"),
        ("the addition is fast", ""),
    ],
)
def test_f_204_an_intent_is_a_whole_word(text: str, intent: str) -> None:
    assert task.read(text).intent == intent


@pytest.mark.capability("C-022")
def test_a_route_and_quotes_are_told_apart_from_paths() -> None:
    found = task.read('POST /sms/send answers "no credit" in `sendSms`, see src/sms/send.ts:12')

    assert found.routes == (Route("POST", "/sms/send"),)
    assert set(found.quoted) == {"sendSms", "no credit"}
    assert found.paths == ("src/sms/send.ts",)
    assert found.identifiers == ("sendSms",)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("theme/default/hello.twig is empty", ("theme/default/hello.twig",)),
        ("look into app/(shop)/[id]/page.tsx", ("app/(shop)/[id]/page.tsx",)),
        ("https://forge.test/a/b/blob/main/lib/till.rb#L3 fails", ("lib/till.rb",)),
        ("https://shop.test/cart/till.html is no file of ours", ()),
        ("./src/till.rs and till.rs", ("src/till.rs", "till.rs")),
    ],
)
def test_paths_are_found_as_they_are_written(text: str, paths: tuple[str, ...]) -> None:
    assert task.read(text).paths == paths


@pytest.mark.capability("C-024")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Fix the login retry that gives up too early", 1),
        ("rename the login form and add an export to CSV", 2),
        ("Move the guards, including the router, and how they are tested", 3),
        ("show the name as well as the price", 2),
        ("search and replace in the editor", 1),
        ("Fix the till; fix the drawer", 2),
        ("Clean up:\n- add a lock to the drawer\n- rename the till\n", 3),
        ("A crash\n\n## Steps\n- add a row\n- remove it\n", 1),
    ],
)
def test_a_compound_task_has_its_parts(text: str, parts: int) -> None:
    assert len(task.read(text).clusters) == parts


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("修复登录重试过早放弃的问题", "登录"),
        ("رفع مشکل ورود کاربر", "ورود"),
        ("Giriş denemesi çok erken bırakıyor", "giris"),
    ],
)
def test_a_task_in_any_language_has_words_and_one_part(text: str, word: str) -> None:
    found = task.read(text)

    assert word in found.nouns
    assert word in found.clusters[0].nouns
    assert found.identifiers == ()


@pytest.mark.parametrize("unit", ["a.", "`", "/a", "_x", "at (", "(", "\n", "#0 a", "::", " and "])
def test_f_237_time_is_linear_in_the_text(unit: str) -> None:
    began = time.process_time()
    task.read(unit * 20_000)

    assert time.process_time() - began < 2


def test_a_text_without_words_names_nothing() -> None:
    found = task.read(" \n\t ...")

    assert (found.identifiers, found.nouns, found.clusters) == ((), (), ())
