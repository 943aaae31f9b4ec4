import assert from "node:assert/strict";
import { markdownLanguage } from "@codemirror/lang-markdown";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState, type ChangeSpec, type StateCommand } from "@codemirror/state";
import {
  languageChange,
  languageOf,
  restOf,
} from "../../../plugins/panel/client/screens/editor/blocks/code/source.js";
import {
  addTab,
  findContainers,
  kindChange,
  readHead,
  titleChange,
} from "../../../plugins/panel/client/screens/editor/blocks/containers/container-source.js";
import {
  shortcodeName,
  shortcodeValues,
  valueChange,
} from "../../../plugins/panel/client/screens/editor/blocks/shortcode-source.js";
import {
  shownText,
  textChange,
  widthOf,
  withWidth,
  type Closing,
} from "../../../plugins/panel/client/screens/editor/blocks/picture-source.js";
import { liftItem, nestItem } from "../../../plugins/panel/client/screens/editor/text/list-keys.js";
import {
  linkAt,
  targetChange,
  unlinkChange,
} from "../../../plugins/panel/client/screens/editor/text/link-source.js";
import { quoteFor } from "../../../plugins/panel/client/screens/editor/text/typographic-quotes.js";
import {
  listHeadings,
  findBlock,
  splitBlocks,
} from "../../../plugins/panel/client/screens/editor/text/text-blocks.js";
import {
  findColumn,
  editTable,
  cellChange,
  cellRange,
  readTable,
  type Cell,
  type TableAction,
} from "../../../plugins/panel/client/screens/editor/blocks/table/source.js";

import { findEntries } from "../../../plugins/panel/client/screens/editor/blocks/slash-search.js";

const TABLE = ["| A | B |", "|---|:-:|", "| 1 | 2 \\| 3 |"];
const PLAIN = ["A | B", "--|--", "1 | 2"];

function edited(lines: readonly string[], [row, column]: [number, number], action: TableAction) {
  const cell: Cell = { row, column };
  const result = editTable(lines, cell, action);
  return result === null ? null : [...result.lines, `${result.cell.row} ${result.cell.column}`];
}

describe("edits of a Markdown table", () => {
  it("insert and delete rows, and leave the other lines as they are", () => {
    assert.deepEqual(edited(TABLE, [2, 1], "rowAbove"), [
      TABLE[0],
      TABLE[1],
      "|  |  |",
      TABLE[2],
      "2 0",
    ]);
    assert.deepEqual(edited(TABLE, [0, 1], "rowAbove")?.at(2), "|  |  |", "below the heading");
    assert.deepEqual(edited(PLAIN, [2, 0], "rowBelow"), [...PLAIN, "  |  ", "3 0"]);
    assert.deepEqual(edited(TABLE, [2, 0], "rowDelete"), [TABLE[0], TABLE[1], "0 0"]);
    assert.equal(edited(TABLE, [0, 0], "rowDelete"), null);
  });

  it("insert and delete columns, with cells that hold bars", () => {
    assert.deepEqual(edited(TABLE, [2, 0], "columnAfter"), [
      "| A |  | B |",
      "|---| --- |:-:|",
      "| 1 |  | 2 \\| 3 |",
      "2 1",
    ]);
    assert.deepEqual(edited(TABLE, [2, 1], "columnDelete"), ["| A |", "|---|", "| 1 |", "2 0"]);
    assert.deepEqual(edited(PLAIN, [0, 0], "columnDelete"), ["| B|", "|--|", "| 2|", "0 0"]);
    assert.equal(edited(["| A |", "|---|"], [0, 0], "columnDelete"), null);
    const short = ["| A | B |", "|---|---|", "| 1 |"];
    assert.deepEqual(edited(short, [0, 1], "columnAfter")?.at(2), "| 1 |  |  |");
  });

  it("align a column", () => {
    assert.deepEqual(edited(TABLE, [2, 0], "alignRight")?.at(1), "| ---: |:-:|");
    assert.deepEqual(edited(TABLE, [2, 1], "alignLeft")?.at(1), "|---| :--- |");
  });

  it("find the cell at an offset, and the offset of a cell", () => {
    assert.deepEqual(
      [0, 3, 5, 8].map((at) => findColumn("| A | B |", at)),
      [0, 0, 1, 1],
    );
    assert.equal(findColumn("| 2 \\| 3 | x", 8), 0);
    assert.deepEqual(cellRange("| A |  B |", 1), { from: 7, to: 8 });
    assert.deepEqual(cellRange("|  ||", 0), { from: 2, to: 2 });
    assert.deepEqual(cellRange("A | B", 1), { from: 4, to: 5 });
  });

  it("move rows and columns, and leave the heading at the top", () => {
    const lines = [...TABLE, "| 4 |"];
    assert.deepEqual(edited(lines, [3, 0], "rowUp"), [
      TABLE[0],
      TABLE[1],
      "| 4 |",
      TABLE[2],
      "2 0",
    ]);
    for (const [row, action] of [
      [2, "rowUp"],
      [3, "rowDown"],
      [0, "rowDown"],
    ] as const) {
      assert.equal(edited(lines, [row, 0], action), null, `${row} ${action}`);
    }
    assert.deepEqual(edited(lines, [2, 0], "columnRight"), [
      "| B | A |",
      "|:-:|---|",
      "| 2 \\| 3 | 1 |",
      "|  | 4 |",
      "2 1",
    ]);
    assert.equal(edited(lines, [2, 0], "columnLeft"), null);
    assert.equal(edited(lines, [2, 1], "columnRight"), null);
  });
});

describe("the cells of a Markdown table", () => {
  /** The line after a cell got its text. */
  function typed(line: string, column: number, words: string): string {
    const change = cellChange(line, column, words);
    return change === null
      ? line
      : line.slice(0, change.from) + change.insert + line.slice(change.to);
  }

  it("are read with their bars and alignment, as many as the heading has", () => {
    assert.deepEqual(
      readTable(["| A | B |", "|:--|--:|", "| 1 \\| `x\\|y` |", "|a|b|c|", "|\\\\|d|"]),
      {
        alignments: ["start", "end"],
        rows: [
          ["A", "B"],
          ["1 | `x|y`", ""],
          ["a", "b"],
          ["\\\\", "d"],
        ],
      },
    );
  });

  it("change their own characters only", () => {
    assert.equal(typed("|  a   | b |", 0, "ab"), "|  ab   | b |");
    assert.equal(typed("| a |  |", 1, "x | y"), "| a | x \\| y |");
    assert.equal(typed("|a||", 1, "x"), "|a|x|");
    assert.equal(typed("| a\\|b | c |", 0, "a|b"), "| a\\|b | c |");
    assert.equal(typed("| a |", 2, "x"), "| a |  | x |");
    assert.equal(typed("| a |", 2, ""), "| a |");
    assert.equal(typed("| a |", 0, "one\n two"), "| one two |");
  });

  it("stay cells when they are empty, or end with a backslash", () => {
    for (const [column, lines] of [
      [0, "| | B"],
      [1, "A | |"],
    ] as const) {
      assert.equal(typed("A | B", column, ""), lines);
      assert.equal(readTable([lines, "--|--"]).rows[0]?.length, 2);
    }
    assert.deepEqual(readTable([typed("|a|b|", 0, "a\\"), "--|--"]).rows, [["a\\", "b"]]);
  });
});

describe("the slash menu", () => {
  const entries = [
    { label: "Code block", synonyms: "source" },
    { label: "Überschrift 2", synonyms: "heading h2" },
    { label: "Block of text", synonyms: "paragraph" },
    { label: "Unblocked", synonyms: "" },
    { label: "Toggle", synonyms: "details accordion block" },
  ];
  const find = (typed: string): string[] => findEntries(entries, typed).map(({ label }) => label);

  it("keeps the order until something is typed", () => {
    assert.deepEqual(
      find(" "),
      entries.map(({ label }) => label),
    );
  });

  it("finds by the label first, then by its words, by synonyms, and inside words", () => {
    assert.deepEqual(find("block"), ["Block of text", "Code block", "Toggle", "Unblocked"]);
    assert.deepEqual(find("ACC"), ["Toggle"]);
    assert.deepEqual(find("nothing"), []);
  });

  it("finds without accents, and with several words", () => {
    assert.deepEqual(find("uber"), ["Überschrift 2"]);
    assert.deepEqual(find("code bl"), ["Code block"]);
  });
});

describe("Tab in lists", () => {
  /** The text after a command; `|` is the cursor. */
  function after(command: StateCommand, text: string): string | false {
    let state = EditorState.create({
      doc: text.replace("|", ""),
      selection: { anchor: text.indexOf("|") },
      extensions: [markdownLanguage],
    });
    const isDone = command({ state, dispatch: (next) => void (state = next.state) });
    return isDone && state.doc.toString();
  }

  it("nests an item with its lines below the one before it", () => {
    assert.equal(after(nestItem, "- a\n- b|\n\n  more\n- c"), "- a\n  - b\n\n    more\n- c");
    assert.equal(after(nestItem, "1. a\n2. |b\n3. c"), "1. a\n   1. b\n3. c");
    assert.equal(after(nestItem, "> - a\n> - |b"), "> - a\n>   - b");
    assert.equal(after(nestItem, "- |a\n- b"), "- a\n- b", "nothing stands before the first");
  });

  it("lifts an item behind the one that it was nested in", () => {
    assert.equal(after(liftItem, "- a\n  - |b\n    - c\n- d"), "- a\n- b\n  - c\n- d");
    assert.equal(after(liftItem, "4. a\n   1. b|"), "4. a\n5. b");
    assert.equal(after(liftItem, "- a|"), "- a");
  });

  it("leaves the text elsewhere", () => {
    assert.equal(after(nestItem, "Words|\n\n- a"), false);
    assert.equal(after(liftItem, "# He|ading"), false);
  });
});

describe("the texts of a picture", () => {
  const changed = (source: string, words: string, closing: Closing = "]"): string => {
    const change = textChange(source, words, closing);
    return change === null
      ? source
      : source.slice(0, change.from) + change.insert + source.slice(change.to);
  };

  it("change without the characters that are equal", () => {
    assert.equal(shownText("a \\* \\] [b]", "]"), "a \\* ] [b]");
    assert.equal(changed("a \\* \\] [b]", "a \\* ] [c]"), "a \\* \\] [c]");
    assert.equal(changed("", "x ] y"), "x \\] y");
    assert.equal(changed("say", 'say "hi"', '"'), 'say \\"hi\\"');
    assert.equal(changed("a", "a\nb"), "a b");
  });

  it("take a width into the address, and leave other parameters", () => {
    assert.equal(withWidth("a.png", 640), "a.png?width=640");
    assert.equal(withWidth("<a b.png?w=320&v=2>", 640), "<a b.png?v=2&width=640>");
    assert.equal(withWidth("a.png?width=320", 0), "a.png");
    assert.deepEqual(["a.png?w=320", "a.png", "a?v=1&width=8"].map(widthOf), [320, 0, 8]);
  });
});

describe("the outline of a text", () => {
  it("lists headings of both forms, without those in code and lists", () => {
    const text =
      "# A `b` **c** {#id}\n\n~~~\n# no\n~~~\nTitle\n===\n\n- item\n---\n####### no\n##\n";
    assert.deepEqual(
      listHeadings(text).map(({ level, text: title, line }) => `${level} ${title} ${line}`),
      ["1 A b c 1", "1 Title 6", "2  12"],
    );
  });
});

describe("the blocks of a text", () => {
  it("are the parts between empty lines; fenced code is one", () => {
    const text = "One\ntwo\n\n```\na\n\nb\n```\n\n\nLast\n";
    assert.deepEqual(splitBlocks(text), ["One\ntwo", "```\na\n\nb\n```", "Last"]);
    assert.deepEqual(
      [1, 3, 6, 11].map((line) => findBlock(text, line)),
      [0, 0, 1, 2],
    );
  });
});

/** The text after changes. */
function afterChanges(state: EditorState, changes: ChangeSpec | null): string | null {
  return changes === null ? null : state.update({ changes }).state.doc.toString();
}

describe("a link in the text", () => {
  const stateOf = (doc: string): EditorState =>
    EditorState.create({ doc, extensions: markdownLanguage });
  const at = (doc: string, position: number) => {
    const state = stateOf(doc);
    const link = linkAt(state, position);
    return { state, link };
  };

  it("is found in all its forms, with its address", () => {
    const cases = [
      ["[a](/b)", 1, "/b"],
      ["x [a](/b) y", 9, "/b"],
      ['[a](<b c> "t")', 5, "b c"],
      ["[a](b\\_c)", 5, "b_c"],
      ["[**a**](/b)", 4, "/b"],
      ["[![p](q.png)](/b)", 4, "/b"],
      ["[a]()", 1, ""],
      ["[a][Q r]\n\n[q  R]: /u", 1, "/u"],
      ["[q][]\n\n[q]: /u", 1, "/u"],
      ["[q]\n\n[q]: /u", 1, "/u"],
      ["<https://a.b>", 3, "https://a.b"],
      ["see www.a.b now", 6, "https://www.a.b"],
    ] as const;
    for (const [doc, position, address] of cases) {
      assert.equal(at(doc, position).link?.address, address, doc);
    }
    for (const doc of ["[a]", "a [b] c", "![a](b.png)", "`[a](/b)`", "[q]: /u"]) {
      assert.equal(at(doc, 2).link, null, doc);
    }
  });

  it("gets another target; its text and its title stay as they are written", () => {
    const cases = [
      ["[a*b* ](/b 'T')", "/c d", "[a*b* ](</c d> 'T')"],
      ["[a]()", "/c", "[a](/c)"],
      ["[a][q]\n\n[q]: /u", "/c", "[a](/c)\n\n[q]: /u"],
      ["<https://a.b>", "https://c.d", "<https://c.d>"],
    ] as const;
    for (const [doc, address, expected] of cases) {
      const { state, link } = at(doc, 1);
      assert.ok(link !== null, doc);
      assert.equal(afterChanges(state, targetChange(link, address)), expected, doc);
      assert.equal(targetChange(link, link.address), null, doc);
    }
  });

  it("is removed, and its text stays", () => {
    const cases = [
      ["x [a *b*](/b 'T') y", "x a *b* y"],
      ["[ab][q]\n\n[q]: /u", "ab\n\n[q]: /u"],
      ["<https://a.b>", null],
    ] as const;
    for (const [doc, expected] of cases) {
      const { state, link } = at(doc, 3);
      assert.ok(link !== null, doc);
      assert.equal(afterChanges(state, unlinkChange(link)), expected, doc);
    }
  });
});

describe("the fence of a code block", () => {
  it("gets another language; the rest of its line stays", () => {
    const cases = [
      ["```js {1} title='a'", "ts", "```ts {1} title='a'"],
      ["```", "ts", "```ts"],
      ["```ts", "", "```"],
      ["~~~~  py", "rb", "~~~~  rb"],
      ["> - ```js", "ts", "> - ```ts"],
      ["``` {.python #id}", "rust", "``` {.rust #id}"],
      ["```{1,3}", "js", "```js {1,3}"],
      ["```js:line-numbers", "ts", "```ts:line-numbers"],
      ["```ts", "ts", null],
    ] as const;
    for (const [fence, name, expected] of cases) {
      const change = languageChange(fence, name);
      const text = change && fence.slice(0, change.from) + change.insert + fence.slice(change.to);
      assert.equal(text, expected, fence);
    }
    assert.equal(languageOf("```js {1}"), "js");
    assert.equal(restOf('```js {1} title="a b"'), '{1} title="a b"');
    assert.equal(languageOf("``` {.python #id}"), "python");
  });
});

describe("typographic quotes", () => {
  /** The text after its characters were typed one by one. */
  function typed(text: string, language = "en"): string {
    let doc = "";
    for (const letter of text) {
      const state = EditorState.create({ doc, extensions: markdownLanguage });
      ensureSyntaxTree(state, doc.length, 1_000);
      const isQuote = letter === '"' || letter === "'";
      doc += (isQuote ? quoteFor(state, doc.length, letter, language) : null) ?? letter;
    }
    return doc;
  }

  it("are those of the language", () => {
    const cases = [
      ["en", "He said “Don’t”, ‘no’ (“so”)."],
      ["de", "He said „Don’t“, ‚no‘ („so“)."],
      ["de-CH", "He said «Don’t», ‹no› («so»)."],
      ["fr", "He said «\u202FDon’t\u202F», “no” («\u202Fso\u202F»)."],
      ["xx", "He said “Don’t”, ‘no’ (“so”)."],
      ["pt-BR", "He said “Don’t”, ‘no’ (“so”)."],
    ] as const;
    for (const [language, expected] of cases) {
      assert.equal(typed(`He said "Don't", 'no' ("so").`, language), expected, language);
    }
    assert.equal(typed('**"a"** — "b" "\'c\' d"'), "**“a”** — “b” “‘c’ d”");
  });

  it("never stand in code, HTML, shortcodes, attributes, titles and targets of links", () => {
    for (const text of [
      '`"a"`',
      '```js\nlet a = "b";',
      '    "a"',
      '<a title="b">',
      '<p>\n"a"',
      '{{ embed "https://a.b" }}',
      '{.a title="b"}',
      '[a](/b "c")',
      '[a]: /b "c"',
      '::: details "a"',
      '\\"a',
      '<!-- "a',
    ]) {
      assert.equal(typed(text).replace(/a$/, ""), text.replace(/a$/, ""), text);
    }
  });
});

describe("the values of a shortcode", () => {
  const params = ["url", "title", "open"].map((name, at) => ({
    name,
    label: name,
    type: name === "open" ? "toggle" : "text",
    required: at === 0,
    options: [],
  }));
  const written = (text: string, name: string, value: string): string | null => {
    const change = valueChange(text, params, name, value);
    return change && text.slice(0, change.from) + change.insert + text.slice(change.to);
  };

  it("are read by name and by place, as the site reads them", () => {
    const read = (text: string) => Object.fromEntries(shortcodeValues(text, params) ?? []);
    assert.deepEqual(read(`{{ x "a \\"b\\"" title='c' open }}`), {
      url: 'a "b"',
      title: "c",
      open: "true",
    });
    assert.deepEqual(read(`{{x title="c" "a"}}`), { title: "c", url: "a" });
    assert.deepEqual(read("{{ x contact }}"), { url: "contact" });
    assert.deepEqual(read("{{ x }}"), {});
    for (const text of ['{{ x other="1" }}', '{{ x "a }}', '{{ x "a" "b" "c" "d" }}']) {
      assert.equal(shortcodeValues(text, params), null, text);
    }
    assert.equal(shortcodeName("{{ x }} words"), null);
  });

  it("change without the characters beside them", () => {
    assert.equal(written(`{{x  "a"  title='c' }}`, "title", "d's"), `{{x  "a"  title='d\\'s' }}`);
    assert.equal(written("{{ x }}", "url", 'a "b"'), '{{ x "a \\"b\\"" }}');
    assert.equal(written('{{ x "a" }}', "title", "c"), '{{ x "a" title="c" }}');
    assert.equal(written('{{ x "a" title="c" }}', "title", ""), '{{ x "a" }}');
    assert.equal(written('{{ x "a" title="c" }}', "url", ""), '{{ x "" title="c" }}');
    assert.equal(written("{{ x a }}", "url", "b c"), '{{ x "b c" }}');
    assert.equal(written("{{ x a }}", "url", "bc"), "{{ x bc }}");
    assert.equal(written('{{ x "a" }}', "open", "true"), '{{ x "a" open }}');
    assert.equal(written('{{ x "a" open }}', "open", ""), '{{ x "a" }}');
    assert.equal(written('{{ x "a" }}', "url", "a"), null);
  });
});

describe("the parts of a box", () => {
  const stateOf = (doc: string) => EditorState.create({ doc, extensions: markdownLanguage });
  const lineOf = (text: string) => stateOf(text).doc.line(1);
  const retitled = (text: string, title: string): string | null => {
    const change = titleChange(lineOf(text), title);
    return change && text.slice(0, change.from) + change.insert + text.slice(change.to);
  };

  it("are read in both forms, and in alerts", () => {
    const read = (line: string) => {
      const head = readHead(line);
      return head === null ? null : `${head.name}|${head.title}|${head.isAlert}`;
    };
    assert.equal(read("> [!NOTE]"), "note||true");
    assert.equal(read(":::tip Small steps {#a}"), "tip|Small steps|false");
    assert.equal(read("::: Tip[A \\] b]{open}"), "tip|A ] b|false");
    for (const line of ["> [!OTHER]", "> [!NOTE] words", ":::", "a ::: tip"]) {
      assert.equal(read(line), null, line);
    }
  });

  it("change alone", () => {
    assert.equal(retitled("::: tip", "New"), "::: tip New");
    assert.equal(retitled("::: tip {open}", "New"), "::: tip New {open}");
    assert.equal(retitled(":::tip  Old  {open}", "Older"), ":::tip  Older {open}");
    assert.equal(retitled("::: tip Old {open}", ""), "::: tip {open}");
    assert.equal(retitled(":::tip[Old]", "[1]"), ":::tip[\\[1\\]]");
    assert.equal(retitled("> [!NOTE]", "New"), null);
    const kind = kindChange(lineOf("> [!NOTE]"), "tip");
    assert.deepEqual(kind, { from: 4, to: 8, insert: "TIP" });
  });

  it("are found in each other; an include is one line", () => {
    const doc = "::: include a.md\n\n:::: tabs\n::: tab A\nx\n:::\n::: tab B\ny\n:::\n::::\n";
    const state = stateOf(doc);
    const tree = ensureSyntaxTree(state, doc.length, 1_000);
    assert.ok(tree !== null);
    const [tabs, ...others] = findContainers(state, tree);
    assert.equal(others.length, 0);
    assert.equal(tabs?.name, "tabs");
    assert.deepEqual(
      tabs.children.map(({ from, to }) => doc.slice(from, to)),
      ["::: tab A\nx\n:::", "::: tab B\ny\n:::"],
    );
    const { from, insert } = addTab(tabs, "C");
    assert.equal(insert, "::: tab C\n\n:::\n");
    assert.equal(doc.slice(from), "::::\n");
  });
});
