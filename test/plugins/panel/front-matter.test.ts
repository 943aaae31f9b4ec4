import { setKey } from "../../../plugins/panel/client/screens/editor/front-matter/set-key.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import {
  EditedText,
  readFrontMatter,
} from "../../../plugins/panel/client/screens/editor/front-matter/edited-text.js";
import { repository } from "../../support/repository.js";

const WRITTEN_BY_HAND = `---
# the page
title: 'A "quoted" title'   # shown
base: &address
  street: Quay 1 # by the sea
  city: "Port"
other: *address
parts:
  # the first block
  - type: quote
    text: >
      Light is
      a material.
    author: authors/ines

  # the second block
  - type: gallery # of boats
    images: [a.jpg, 'b.jpg', "c.jpg"]
    size: { width: 3, height: 4 }
  - type: quote
    text: |
      Two lines
      of text.
steps:
- name: one
  tools:
  - saw
  - "file"
- name: two
mixed: [1, two, { three: 3 }]
"quoted key": yes
empty:
last: ~
---
Body
`;
const SOURCES = [
  WRITTEN_BY_HAND,
  WRITTEN_BY_HAND.replaceAll("\n", "\r\n"),
  ...globSync(["content/**/*.md"], { cwd: repository }).map((name) =>
    readFileSync(join(repository, name), "utf8"),
  ),
];

type Change = (value: unknown) => unknown;
type Values = Record<string, unknown>;

const isMap = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All changes that a form can make to a value, each with its name. */
function* changesOf(value: unknown): Generator<[string, Change]> {
  if (typeof value === "string") yield ["a word", (old) => `${String(old)} more: #1`];
  if (typeof value === "number") yield ["a number", (old) => Number(old) + 1];
  if (typeof value === "boolean") yield ["a switch", (old) => old !== true];
  if (value === null) yield ["a value", () => "given"];
  if (Array.isArray(value)) yield* changesOfList(value);
  if (isMap(value)) yield* changesOfMap(value);
}

function* changesOfList(list: readonly unknown[]): Generator<[string, Change]> {
  const items = (old: unknown): unknown[] => (Array.isArray(old) ? [...old] : []);
  yield ["an item more", (old) => [...items(old), isMap(list[0]) ? { type: "new" } : "new"]];
  yield ["no first item", (old) => items(old).slice(1)];
  yield ["another order", (old) => items(old).reverse()];
  for (const [at, item] of list.entries()) {
    for (const [name, change] of changesOf(item)) {
      yield [`${at}: ${name}`, (old) => items(old).with(at, change(items(old)[at]))];
    }
  }
}

function* changesOfMap(map: Values): Generator<[string, Change]> {
  const copy = (old: unknown): Values => (isMap(old) ? { ...old } : {});
  yield ["a key more", (old) => ({ ...copy(old), added: "x, y" })];
  for (const name of Object.keys(map)) {
    yield [
      `no ${name}`,
      (old) => Object.fromEntries(Object.entries(copy(old)).filter(([key]) => key !== name)),
    ];
    for (const [what, change] of changesOf(map[name])) {
      yield [`${name}: ${what}`, (old) => ({ ...copy(old), [name]: change(copy(old)[name]) })];
    }
  }
}

/** Lines of a text that another one does not have. */
function linesGone(before: string, after: string): string[] {
  const left = after.split(/\r?\n/);
  return before.split(/\r?\n/).filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

describe("fields of front matter", () => {
  it("have the value that was set, leave the others, and have their first text when undone", () => {
    let tried = 0;
    for (const raw of SOURCES) {
      const values = readFrontMatter(new EditedText(raw, setKey).yaml.value).values ?? {};
      for (const [key, value] of Object.entries(values)) {
        for (const [name, change] of changesOf(value)) {
          tried += 1;
          const text = new EditedText(raw, setKey);
          const next = change(value);
          text.set(key, next);
          if (key === "base") {
            // Another key has its value: neither changes.
            assert.match(text.edits.problem.value ?? "", /is shared: line/);
            assert.equal(text.text, raw);
            continue;
          }
          const about = `${key}: ${name}\n${text.yaml.value}`;
          const found = readFrontMatter(text.yaml.value).values ?? {};
          assert.deepEqual(found[key], next, about);
          assert.deepEqual({ ...found, [key]: value }, values, about);
          text.set(key, value);
          assert.equal(text.text, raw, `set again: ${about}`);
          text.set(key, next);
          text.step("undo");
          assert.equal(text.text, raw, `undone: ${about}`);
        }
      }
    }
    assert.ok(tried > 400, `${tried} changes`);
  });

  const edits: readonly [string, string, Change, readonly string[]][] = [
    [
      "one text in a block",
      "parts",
      (old) => at(old, 0, { author: "authors/max" }),
      ["    author: authors/ines"],
    ],
    [
      "a word in brackets",
      "parts",
      (old) => at(old, 1, { images: ["a.jpg", "x, y.jpg", "c.jpg"] }),
      [`    images: [a.jpg, 'b.jpg', "c.jpg"]`],
    ],
    ["the order of blocks", "parts", (old) => (old as unknown[]).toReversed(), []],
    [
      "no second block",
      "parts",
      (old) => (old as unknown[]).toSpliced(1, 1),
      [
        "  # the second block",
        "  - type: gallery # of boats",
        `    images: [a.jpg, 'b.jpg', "c.jpg"]`,
        "    size: { width: 3, height: 4 }",
        "",
      ],
    ],
    ["a new block", "parts", (old) => [...(old as unknown[]), { type: "quote", text: "x" }], []],
    ["an alias", "other", () => "Quay 2", ["other: *address"]],
    ["a quoted key", "quoted key", () => "no", [`"quoted key": yes`]],
  ];
  for (const [name, key, change, gone] of edits) {
    it(`change only their own lines: ${name}`, () => {
      const text = new EditedText(WRITTEN_BY_HAND, setKey);
      text.set(key, change(text.frontMatter.value.values?.[key]));
      assert.deepEqual(linesGone(WRITTEN_BY_HAND, text.text), gone, text.text);
    });
  }

  it("keep a body apart from a closing fence without a line end", () => {
    for (const end of ["\n", "\r\n"]) {
      const raw = `---${end}title: V${end}---`;
      const text = new EditedText(raw, setKey);
      text.connect({
        read: () => "ZQ",
        replace: () => undefined,
        mark: () => undefined,
        rebase: () => undefined,
      });
      assert.equal(text.text, `${raw}${end}ZQ`);
      const shown = new EditedText(raw, setKey);
      shown.set("title", "W");
      assert.equal(shown.text, raw.replace("V", "W"));
    }
  });

  it("name the line of invalid front matter", () => {
    const matter = readFrontMatter("title: A\nsummary: a: b\n");
    assert.equal(matter.error === null ? null : matter.line, 2);
  });

  it("undo and redo step by step", () => {
    const text = new EditedText("---\na: 1\nb: 2\n---\n", setKey);
    text.set("a", 3);
    text.set("b", 4);
    assert.equal(text.step("undo"), true);
    assert.equal(text.yaml.value, "a: 3\nb: 2\n");
    assert.equal(text.step("undo"), true);
    assert.equal(text.step("undo"), false);
    assert.equal(text.edits.canUndo.value, false);
    text.step("redo");
    text.step("redo");
    assert.equal(text.yaml.value, "a: 3\nb: 4\n");
  });

  it("a file without front matter has none again when its only field is removed", () => {
    const text = new EditedText("Body\n", setKey);
    text.set("title", "A");
    assert.equal(text.text, "---\ntitle: A\n---\nBody\n");
    text.set("title", undefined);
    assert.equal(text.text, "Body\n");
  });
});

function at(list: unknown, index: number, values: Values): unknown {
  return (list as Values[]).map((item, one) => (one === index ? { ...item, ...values } : item));
}
