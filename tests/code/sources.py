"""Sources in each language with the imports that a reader finds in them. Refuses text of any real project."""

PYTHON = '''\
"""A module.

import not_this
from nor import this_one
"""
from __future__ import annotations

import os, sys as system
import a.b . c as deep
import continued. \\
    tail
from . import sibling
from .. pkg . mod import (
    first as one,  # from comment import nothing
    second,
)
from everything import *
text = "import in_text"
# import in_comment
raw = f"{x!r} import in_format"
try:
    import fast
except ImportError:
    fast = None
if TYPE_CHECKING:
    from typing import Any
def late():
    class Inner:
        from ...far import thing
    return __import__("by_name")
import last; import after
'''
PYTHON_FOUND = [
    ("__future__", ("annotations",), 6),
    ("os", (), 8),
    ("sys", (), 8),
    ("a.b.c", (), 9),
    ("continued.tail", (), 10),
    (".", ("sibling",), 12),
    ("..pkg.mod", ("first", "second"), 13),
    ("everything", ("*",), 17),
    ("fast", (), 22),
    ("typing", ("Any",), 26),
    ("...far", ("thing",), 29),
    ("last", (), 31),
    ("after", (), 31),
]

JAVASCRIPT = """\
// import none from "comment"
import "./effect.js";
import main, { part as p, default as d, "odd name" as o } from "pkg/sub";
import * as all from './all'
import both, * as rest from "both";
export { kept, other as renamed } from "./kept";
export * from "./star";
export * as named from "./named";
export const own = 1;
const text = 'import x from "text"';
const made = `require("template")`;
/* require("block") */
const plain = require("plain");
const { piece } = require('./piece');
const lazy = () => import(/* why */ "./lazy");
const fixed = import(`./fixed`);
const computed = import(`./made/${name}`) || require(name) || require("a" + b);
if (flag) { require("./conditional"); }
module.require("method"); requires("other"); notimport("no");
import data from "./data.json" with { type: "json" };
"""
JAVASCRIPT_FOUND = [
    ("./effect.js", (), 2),
    ("pkg/sub", ("default", "part", "default", "odd name"), 3),
    ("./all", ("*",), 4),
    ("both", ("default", "*"), 5),
    ("./kept", ("kept", "other"), 6),
    ("./star", ("*",), 7),
    ("./named", ("*",), 8),
    ("plain", (), 13),
    ("./piece", (), 14),
    ("./lazy", (), 15),
    ("./fixed", (), 16),
    ("./conditional", (), 18),
    ("./data.json", ("default",), 20),
]

TYPESCRIPT = """\
/// <reference path="./reference.d.ts" />
import type { Shape } from "./shape";
import { type Size, area } from "@scope/geometry";
import fs = require("fs");
import Alias = Names.Inner;
export type { Colour } from "./colour";
type Lazy = import("./types").Lazy;
let value: typeof import("./value");
declare module "declared" { import inner from "inner"; }
@decorated("import x from 'text'")
class Box<T extends string> { load = async () => import("./box"); }
"""
TYPESCRIPT_FOUND = [
    ("./shape", ("Shape",), 2),
    ("@scope/geometry", ("Size", "area"), 3),
    ("fs", (), 4),
    ("./colour", ("Colour",), 6),
    ("./types", (), 7),
    ("./value", (), 8),
    ("inner", ("default",), 9),
    ("./box", (), 11),
]

TSX = """\
import React from "react";
export const View = () => <p title="import x from 'text'">import y from "prose" {import("./part")}</p>;
"""
TSX_FOUND = [("react", ("default",), 1), ("./part", (), 2)]

GO = """\
// import "comment"
package main

import "fmt"
import (
	alias "example.com/team/tool"
	_ "embed"
	. `example.com/team/raw`
	/* "block" */ "os"
)

var text = `import "text"`

func main() { fmt.Println("import \\"inner\\"") }
"""
GO_FOUND = [
    ("fmt", (), 4),
    ("example.com/team/tool", (), 6),
    ("embed", (), 7),
    ("example.com/team/raw", ("*",), 8),
    ("os", (), 9),
]

JAVA = """\
// import comment.Line;
package com.example;

import java.util.List;
import java.util . Map.Entry;
import java.io.*;
import static com.example.Tool.use;
import static com.example.Tool.*;
/* import block.Type; */
class Main { String text = "import text.Type;"; }
"""
JAVA_FOUND = [
    ("java.util.List", (), 4),
    ("java.util.Map.Entry", (), 5),
    ("java.io", ("*",), 6),
    ("com.example.Tool", ("use",), 7),
    ("com.example.Tool", ("*",), 8),
]

SOURCES = {
    "a.py": (PYTHON, PYTHON_FOUND),
    "a.pyi": (PYTHON, PYTHON_FOUND),
    "a.js": (JAVASCRIPT, JAVASCRIPT_FOUND),
    "a.mjs": (JAVASCRIPT, JAVASCRIPT_FOUND),
    "a.ts": (TYPESCRIPT, TYPESCRIPT_FOUND),
    "b.ts": (JAVASCRIPT, JAVASCRIPT_FOUND),
    "a.tsx": (TSX, TSX_FOUND),
    "a.jsx": (TSX, TSX_FOUND),
    "a.go": (GO, GO_FOUND),
    "A.java": (JAVA, JAVA_FOUND),
}
