import assert from "node:assert/strict";
import { markdownLanguage } from "@codemirror/lang-markdown";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import {
  deleteBlocks,
  duplicateBlocks,
  moveBlocks,
  moveItem,
  selectedBlocks,
} from "../../../plugins/panel/client/screens/editor/blocks/handle/moves.js";
import {
  blockAt,
  textBlocks,
} from "../../../plugins/panel/client/screens/editor/blocks/handle/ranges.js";
import {
  turnBlock,
  turnOf,
  type Turn,
} from "../../../plugins/panel/client/screens/editor/blocks/handle/turns.js";

function stateOf(doc: string, cursor = 0): EditorState {
  return EditorState.create({ doc, selection: { anchor: cursor }, extensions: markdownLanguage });
}

/** The text after a change, with `|` at the cursor. */
function after(state: EditorState, spec: TransactionSpec | null): string | null {
  if (spec === null) return null;
  const next = state.update(spec).state;
  const { head } = next.selection.main;
  return `${next.sliceDoc(0, head)}|${next.sliceDoc(head)}`;
}

function kindsOf(doc: string): string[] {
  const state = stateOf(doc);
  return textBlocks(state).map(({ kind, from, to }) => `${kind} ${state.sliceDoc(from, to)}`);
}

describe("the blocks of the text editor", () => {
  it("are whole lines, each with its kind", () => {
    assert.deepEqual(
      kindsOf(
        "# A\nB\n\n- c\n  d\n\n> e\n\n```\nf\n\ng\n```\n![h](i.png)\n\n| j |\n|---|\n\n***\n\n<p>\nk\n</p>\n\n[l]: /m\n",
      ),
      [
        "heading # A",
        "text B",
        "list - c\n  d",
        "quote > e",
        "code ```\nf\n\ng\n```",
        "picture ![h](i.png)",
        "table | j |\n|---|",
        "rule ***",
        "html <p>\nk\n</p>",
        "definition [l]: /m",
      ],
    );
    assert.deepEqual(kindsOf(""), []);
  });

  it("include containers with everything in them, also where a list takes their last line", () => {
    assert.deepEqual(kindsOf("a\n\n::: note\nb\n\n- c\n:::\nd\n"), [
      "text a",
      "container ::: note\nb\n\n- c\n:::",
      "text d",
    ]);
    assert.deepEqual(kindsOf(":::: tabs\n::: tab A\n\n```\n:::\n```\n\n:::\n::::\n\nb"), [
      "container :::: tabs\n::: tab A\n\n```\n:::\n```\n\n:::\n::::",
      "text b",
    ]);
    assert.deepEqual(kindsOf("::: note\nnever closed\n\nb"), [
      "text ::: note\nnever closed",
      "text b",
    ]);
    assert.deepEqual(kindsOf("a\n::: x\nb\n:::"), ["text a", "container ::: x\nb\n:::"]);
  });

  it("move with the cursor; the blank lines between them stay", () => {
    const doc = "One\n\n\nTwo\n\nThree\n";
    const move = (cursor: number, target: number) => {
      const state = stateOf(doc, cursor);
      const run = selectedBlocks(state);
      assert.ok(run !== null);
      return after(state, moveBlocks(state, run, target));
    };
    assert.equal(move(1, 2), "Two\n\n\nO|ne\n\nThree\n");
    assert.equal(move(1, 3), "Two\n\nThree\n\n\nO|ne\n");
    assert.equal(move(13, 0), "Th|ree\n\nOne\n\n\nTwo\n");
    assert.equal(move(13, 1), "One\n\n\nTh|ree\n\nTwo\n");
    assert.equal(move(1, 0), null);
    assert.equal(move(1, 1), null);
    assert.equal(move(13, 3), null);
    assert.equal(move(13, 4), null);
  });

  it("stay apart where they would become one", () => {
    const state = stateOf("# A\nb\n- c\n***\nd");
    assert.equal(
      after(state, moveBlocks(state, { first: 1, last: 1 }, 3)),
      "# A\n\n- c\n\n|b\n\n***\nd",
    );
    assert.equal(
      after(state, moveBlocks(state, { first: 4, last: 4 }, 1)),
      "# A\n\n|d\n\nb\n- c\n***",
    );
    assert.equal(after(state, deleteBlocks(state, { first: 3, last: 3 })), "# A\nb\n- c\n\n|d");
    const links = stateOf("[a]: /a\n[b]: /b\n[c]: /c");
    assert.equal(
      after(links, moveBlocks(links, { first: 0, last: 0 }, 2)),
      "[b]: /b\n|[a]: /a\n[c]: /c",
    );
  });

  it("move together when several are selected", () => {
    const state = EditorState.create({
      doc: "a\n\nb\n\nc\n\nd",
      selection: { anchor: 3, head: 7 },
      extensions: markdownLanguage,
    });
    const run = selectedBlocks(state);
    assert.deepEqual(run, { first: 1, last: 2 });
    const next = state.update(moveBlocks(state, { first: 1, last: 2 }, 0) ?? {}).state;
    assert.equal(next.doc.toString(), "b\n\nc\n\na\n\nd");
    assert.deepEqual([next.selection.main.anchor, next.selection.main.head], [0, 4]);
  });

  it("are duplicated and deleted", () => {
    const state = stateOf("a\n\n## b\n\nc\n", 5);
    const run = { first: 1, last: 1 };
    assert.equal(after(state, duplicateBlocks(state, run)), "a\n\n## b\n\n##| b\n\nc\n");
    assert.equal(after(state, deleteBlocks(state, run)), "a\n\n|c\n");
    assert.equal(after(state, deleteBlocks(state, { first: 2, last: 2 })), "a\n\n## b|\n");
    const only = stateOf("a\n");
    assert.equal(after(only, deleteBlocks(only, { first: 0, last: 0 })), "|\n");
  });

  it("move items of a list with what is nested in them, and keep numbers in order", () => {
    const list = "1. a\n   - x\n2. b\n3. c\n";
    assert.equal(
      after(stateOf(list, 4), moveItem(stateOf(list, 4), 1)),
      "1. b\n2. a|\n   - x\n3. c\n",
    );
    assert.equal(
      after(stateOf(list, 20), moveItem(stateOf(list, 20), -1)),
      "1. a\n   - x\n2. |c\n3. b\n",
    );
    assert.deepEqual(moveItem(stateOf(list, 20), 1), {});
    assert.equal(moveItem(stateOf("a"), 1), null);
    const quoted = "> - a\n> - b\n";
    assert.equal(after(stateOf(quoted, 5), moveItem(stateOf(quoted, 5), 1)), "> - b\n> - a|\n");
  });

  it("turn into other kinds, and keep their words", () => {
    const turned = (doc: string, turn: Turn): string | null => {
      const state = stateOf(doc);
      const block = blockAt(state, 0);
      assert.ok(block !== null, doc);
      const spec = turnBlock(state, block, turn);
      return spec === null ? null : state.update(spec).state.doc.toString();
    };
    const cases: readonly (readonly [string, Turn, string | null])[] = [
      ["a **b**\n\nc", "heading2", "## a **b**\n\nc"],
      ["a\nb\n\nc", "heading3", "### a b\n\nc"],
      ["## a ##", "text", "a"],
      ["A\n===", "heading2", "## A"],
      ["## a", "heading2", null],
      ["a", "text", null],
      ["a\nb", "list", "- a\n  b"],
      ["a", "tasks", "- [ ] a"],
      ["- a\n  - x\n- b", "numbers", "1. a\n   - x\n2. b"],
      ["1. a\n   more\n\n2. b", "list", "- a\n  more\n\n- b"],
      ["- [x] a\n- [ ] b", "list", "- a\n- b"],
      ["- a\n- b", "tasks", "- [ ] a\n- [ ] b"],
      ["- a\n- b", "text", "a\n\nb"],
      ["- a\n- b", "quote", "> a\n>\n> b"],
      ["> a\n> b", "text", "a\nb"],
      ["> [!NOTE]\n> a", "quote", "> a"],
      ["a", "quote", "> a"],
      ["a `x`", "code", "```\na `x`\n```"],
      ["a ```` b", "code", "`````\na ```` b\n`````"],
      ["```js\na\n\nb\n```", "text", "a\n\nb"],
      ["    a", "text", "a"],
      ["| a |\n|---|", "text", null],
    ];
    for (const [doc, turn, expected] of cases) assert.equal(turned(doc, turn), expected, doc);
    const state = stateOf("- [ ] a");
    assert.equal(turnOf(state, textBlocks(state)[0] ?? assert.fail()), "tasks");
  });
});
