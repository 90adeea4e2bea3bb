"""Small sources in which each call is there for one rule, and their graph. Refuses to say what they should give."""

from datetime import UTC, datetime
from pathlib import Path

from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.code.graph import CodeGraph
from gitmem.model.code import Place
from tests.support import git, write_tree

PYTHON = {
    "py/src/shop/__init__.py": "from .cart import Cart as Basket\nfrom .money import *\n",
    "py/src/shop/money.py": '''"""Money."""


def rounded(amount: int) -> int:
    return amount


class Money:
    def __init__(self, amount: int) -> None:
        self.amount = rounded(amount)

    @classmethod
    def nothing(cls) -> "Money":
        return cls(0)

    def plus(self, other: "Money") -> "Money":
        return Money(self.amount + other.amount)
''',
    "py/src/shop/store.py": """class Missing(LookupError):
    pass


class Store:
    def save(self, row: object) -> None:
        self.check(row)

    def check(self, row: object) -> None:
        if row is None:
            raise Missing()

    def only_here(self) -> None:
        pass


class Log:
    def save(self, line: str) -> None:
        pass


class Audited(Store):
    def save(self, row: object) -> None:
        super().save(row)
        self.check(row)
""",
    "py/src/shop/cart.py": """from shop import money
from shop.money import Money
from shop.store import Audited, Log, Missing


class Cart:
    store: Audited

    def __init__(self, log) -> None:
        self.total = Money(0)
        self.log = log

    def add(self, price: Money, tool) -> None:
        self.total.plus(price)
        price.plus(self.total).plus(price)
        Money.nothing()
        money.rounded(3)
        self.store.check(price)
        tool.save(price)
        tool.only_here()
        later(price)

        def inner() -> None:
            pass

        inner()
        try:
            self.store.save(price)
        except Missing:
            tool()
""",
    "py/tests/test_cart.py": """from shop import Basket, rounded


def test_a_cart_adds_up() -> None:
    cart = Basket(None)
    cart.add(rounded(1), None)
""",
    "py/src/shop/twice.py": """def later(a):
    pass


if True:

    def again():
        pass

else:

    def again():
        pass


def run():
    again()
""",
}
TYPESCRIPT = {
    "ts/package.json": '{"name": "root", "private": true}\n',
    "ts/tsconfig.json": """{
  // written by hand
  "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["app/*"],}}
}
""",
    "ts/packages/core/package.json": """{
  "name": "@acme/core",
  "exports": {".": "./src/main.ts", "./deep": "./src/deep.ts"}
}
""",
    "ts/packages/core/src/main.ts": 'export { send as transmit } from "./deep";\nexport * from "./errors";\n',
    "ts/packages/core/src/deep.ts": """export function send(text: string): void {}
export const ready = (): boolean => true;
""",
    "ts/packages/core/src/errors.ts": "export class Refused extends Error {}\n",
    "ts/app/client.ts": """import { transmit, Refused } from "@acme/core";
import { ready } from "@acme/core/deep";
import type { Wire } from "@/wire";
import open from "@/open";

export class Client {
  constructor(private readonly wire: Wire) {}

  call(text: string): Client {
    transmit(text);
    if (!ready()) throw new Refused();
    this.wire.push(text);
    open(text);
    return this;
  }

  all(wires: Wire[]): void {
    wires.forEach((each) => each.push("x"));
    this.call("a")
      .call("b");
  }
}
""",
    "ts/app/wire.ts": """export interface Wire {
  push(text: string): void;
}
export function open(kind: "a"): void;
export function open(kind: string): void {}
open("a");
""",
    "ts/app/open.ts": "export default function opened(text: string): void {}\n",
    "ts/app/client.test.ts": """import { Client } from "./client";

it("calls", () => {
  const helper = (): void => {};
  helper();
  new Client(null).call("x");
});
it("calls twice", () => {
  const helper = (): number => 1;
  helper();
});
""",
}
OTHERS = {
    "go/go.mod": "module example.com/fleet\n\ngo 1.22\n",
    "go/ship/ship.go": """package ship

type Ship struct{ name string }

func New(name string) *Ship { return &Ship{name: cleaned(name)} }

func (s *Ship) Sail(days int) error { return s.check(days) }

func (s *Ship) check(days int) error { return nil }
""",
    "go/ship/clean.go": 'package ship\n\nfunc cleaned(name string) string { return name }\n',
    "go/main.go": """package main

import "example.com/fleet/ship"

func main() {
	s := ship.New("a")
	s.Sail(2)
}
""",
    "java/src/main/java/a/b/Ledger.java": """package a.b;

public class Ledger extends Book {
  public void post(int amount) { check(amount); write(amount, "x"); write(amount); opened(); }
  void write(int amount) {}
  void write(int amount, String note) {}
  void check(int amount) {}
  class Page { void turn() { check(1); } }
  class Pages extends AbstractSet { void turn() { check(2); } }
}
""",
    "java/src/main/java/a/b/Book.java": "package a.b;\n\npublic class Book {\n  protected void opened() {}\n}\n",
    "java/src/test/java/a/b/LedgerTest.java": """package a.b;

public class LedgerTest {
  void posts() { Ledger ledger = new Ledger(); ledger.post(1); }
}
""",
    "php/composer.json": '{"autoload": {"psr-4": {"Acme\\\\Shop\\\\": "lib/"}}}\n',
    "php/lib/Mail/Sender.php": """<?php
namespace Acme\\Shop\\Mail;

class Sender {
    public function send(string $text): void { $this->log($text); }
    private function log(string $text): void {}
}
""",
    "php/lib/Order.php": """<?php
namespace Acme\\Shop;

use Acme\\Shop\\Mail\\Sender;

class Order {
    public function place(Sender $sender): void { $sender->send("x"); new Sender(); }
}
""",
    "c/lib/list.h": "int list_length(int *list);\n",
    "c/lib/list.c": '#include "list.h"\n\nint list_length(int *list) { return 0; }\n',
    "c/main.c": '#include "lib/list.h"\n\nint main(void) { return list_length(0) + alone(1); }\n',
    "c/other.c": "int alone(int a) { return a; }\n",
    "rust/Cargo.toml": '[package]\nname = "fast-scan"\n',
    "rust/src/lib.rs": """pub mod scan;

use crate::scan::Scanner;

pub fn run() { let s = Scanner::new(); s.go(); }
""",
    "rust/src/scan.rs": """pub struct Scanner { at: usize }

impl Scanner {
    pub fn new() -> Scanner { Scanner { at: 0 } }
    pub fn go(&self) { self.step(); }
    fn step(&self) {}
    fn odd() { run() }
}
""",
}  # fmt: skip
FILES = {**PYTHON, **TYPESCRIPT, **OTHERS}


def repository(root: Path, files: dict[str, str]) -> Path:
    root.mkdir()
    git(root, "-c", "init.defaultBranch=main", "init", "--quiet")
    write_tree(root, files)
    git(root, "add", "--all")
    git(root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--message", "start")
    return root


def graph_of(root: Path) -> CodeGraph:
    session = Session(start=root, now=datetime(2026, 11, 30, 12, tzinfo=UTC))
    return CodeGraph(coding.graph(session).atlas)


def place(graph: CodeGraph, id_: str) -> Place:
    """The definition whose id begins so."""
    path, _, tail = id_.partition("::")
    symbols = graph.atlas.facts(path).symbols
    found = [Place(path, number) for number in range(len(symbols))]
    return next(each for each in found if graph.atlas.symbol_id(each).startswith(f"{path}::{tail}"))
