import { setKey } from "../../../plugins/panel/client/screens/editor/front-matter/set-key.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { history, undo } from "@codemirror/commands";
import { markdownLanguage } from "@codemirror/lang-markdown";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState, type ChangeSet, type Extension, type StateCommand } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { globSync } from "tinyglobby";
import { moveBlocks } from "../../../plugins/panel/client/screens/editor/blocks/handle/moves.js";
import { textBlocks } from "../../../plugins/panel/client/screens/editor/blocks/handle/ranges.js";
import {
  shownText,
  textChange,
} from "../../../plugins/panel/client/screens/editor/blocks/picture-source.js";
import {
  cellChange,
  lineOfRow,
  readTable,
} from "../../../plugins/panel/client/screens/editor/blocks/table/source.js";
import { liftItem, nestItem } from "../../../plugins/panel/client/screens/editor/text/list-keys.js";
import { BodyText } from "../../../plugins/panel/client/screens/editor/text/body-text.js";
import {
  joinFile,
  readFrontMatter,
  splitFile,
} from "../../../plugins/panel/client/screens/editor/front-matter/edited-text.js";
import { repository } from "../../support/repository.js";

/** Markdown of the documentation and of installed packages: files that many people wrote. */
const corpus = globSync(
  [
    "content/**/*.md",
    "node_modules/*/*.md",
    "node_modules/@*/*/*.md",
    "node_modules/*/docs/**/*.md",
  ],
  { cwd: repository },
)
  .sort()
  .map((name) => ({ name, text: readFileSync(join(repository, name), "utf8") }));

/** The text editor's part of an edit, without a screen. */
class Typist {
  readonly #body: BodyText;
  state: EditorState;

  constructor(body: string, language: Extension = []) {
    this.state = EditorState.create({ doc: body, extensions: [history(), language] });
    this.#body = new BodyText(body, this.state.doc.length);
  }

  replace(from: number, to: number, insert: string): void {
    this.#take(this.state.update({ changes: { from, to, insert } }));
  }

  undo(): void {
    undo({ state: this.state, dispatch: (transaction) => this.#take(transaction) });
  }

  /** Puts the cursor somewhere and runs a command. */
  run(command: StateCommand, at: number): void {
    this.#take(this.state.update({ selection: { anchor: at } }));
    command({ state: this.state, dispatch: (transaction) => this.#take(transaction) });
  }

  /** The blocks of the text, read to its end. */
  *blocks(name: string): Generator<{ from: number; to: number; node: SyntaxNode }> {
    const cursor = ensureSyntaxTree(this.state, this.state.doc.length, 20_000)?.cursor();
    while (cursor?.next() === true) {
      if (cursor.name === name) yield { from: cursor.from, to: cursor.to, node: cursor.node };
    }
  }

  read(): string {
    return this.#body.read(this.state.doc);
  }

  #take(transaction: { changes: ChangeSet; state: EditorState }): void {
    this.#body.record(transaction.changes);
    this.state = transaction.state;
  }
}

/** The first and last line in which two texts differ, from each end. */
function differingLines(before: string, after: string): { before: string[]; after: string[] } {
  const [old, next] = [before.split("\n"), after.split("\n")];
  while (old.length > 0 && next.length > 0 && old[0] === next[0]) {
    old.shift();
    next.shift();
  }
  while (old.length > 0 && next.length > 0 && old.at(-1) === next.at(-1)) {
    old.pop();
    next.pop();
  }
  return { before: old, after: next };
}

/** Tables and pictures. */
const BLOCKS = /^\|?[ :-]*-[-: ]*\|[-:| ]*$|^!\[/m;
const MAX_LENGTH = 40_000;

describe("the editor's fidelity to files", () => {
  it("has a corpus", () => {
    assert.ok(corpus.length > 500, `${corpus.length} files`);
    assert.ok(corpus.some(({ text }) => text.includes("\r\n")));
  });

  it("joins every file as it was", () => {
    for (const { name, text } of corpus) assert.equal(joinFile(splitFile(text)), text, name);
  });

  it("changes one word and nothing else, and is the original again after undo", () => {
    for (const { name, text } of corpus) {
      const file = splitFile(text);
      const typist = new Typist(file.body);
      const word = /[A-Za-z]{4,}/.exec(typist.state.doc.toString());
      if (word === null) continue;
      typist.replace(word.index, word.index + word[0].length, "Xylophone");
      const changed = joinFile({ ...file, body: typist.read() });
      const at = file.body.indexOf(word[0]);
      const expected = `${file.body.slice(0, at)}Xylophone${file.body.slice(at + word[0].length)}`;
      assert.equal(changed, joinFile({ ...file, body: expected }), name);
      typist.undo();
      assert.equal(joinFile({ ...file, body: typist.read() }), text, name);
    }
  });

  it("changes a word in and outside of every kind of block, and is the original again after undo", () => {
    const tried = { tables: 0, pictures: 0, items: 0 };
    const small = corpus.filter(({ text }) => text.length < MAX_LENGTH);
    const [rich, plain] = [true, false].map((has) =>
      small.filter(({ text }) => BLOCKS.test(text) === has),
    );
    const files = [...(rich ?? []), ...(plain ?? [])].slice(0, 500);
    assert.equal(files.length, 500);
    for (const { name, text } of files) {
      const file = splitFile(text);
      const typist = new Typist(file.body, markdownLanguage);
      const original = typist.state.doc.toString();
      const check = (from: number, to: number, insert: string): void => {
        typist.replace(from, to, insert);
        assert.equal(
          typist.state.doc.toString(),
          original.slice(0, from) + insert + original.slice(to),
          name,
        );
        typist.undo();
        assert.equal(joinFile({ ...file, body: typist.read() }), text, name);
      };
      for (const { from, to, node } of typist.blocks("Table")) {
        if (node.parent?.parent !== null) continue;
        const first = typist.state.doc.lineAt(from).number;
        const last = typist.state.doc.lineAt(to).number;
        const lines = Array.from({ length: last - first + 1 }, (_, at) => {
          return typist.state.doc.line(first + at).text;
        });
        const { rows } = readTable(lines);
        for (const [row, cells] of rows.entries()) {
          const line = typist.state.doc.line(first + lineOfRow(row));
          for (const [column, words] of cells.entries()) {
            assert.equal(cellChange(line.text, column, words), null, `${name}: ${line.text}`);
          }
        }
        const line = typist.state.doc.line(first + lineOfRow(rows.length - 1));
        const words = `${rows.at(-1)?.[0] ?? ""} | more`.trim();
        const change = cellChange(line.text, 0, words);
        assert.ok(change !== null, name);
        tried.tables += 1;
        const next = line.text.slice(0, change.from) + change.insert + line.text.slice(change.to);
        assert.equal(
          readTable(lines.with(lineOfRow(rows.length - 1), next)).rows.at(-1)?.[0],
          words,
          name,
        );
        check(line.from + change.from, line.from + change.to, change.insert);
      }
      for (const { node } of [...typist.blocks("Image")].slice(0, 5)) {
        const [open, close] = node.getChildren("LinkMark");
        if (open === undefined || close === undefined) continue;
        const source = original.slice(open.to, close.from);
        const words = `${shownText(source, "]")} [more]`;
        const change = textChange(source, words, "]");
        assert.ok(change !== null, name);
        tried.pictures += 1;
        const next = source.slice(0, change.from) + change.insert + source.slice(change.to);
        assert.equal(shownText(next, "]"), words.replace(/\s*\n\s*/g, " "), name);
        check(open.to + change.from, open.to + change.to, change.insert);
      }
      for (const { from } of [...typist.blocks("ListItem")].slice(0, 4)) {
        for (const command of [nestItem, liftItem]) {
          typist.run(command, from + 1);
          tried.items += typist.state.doc.toString() === original ? 0 : 1;
          if (typist.state.doc.toString() !== original) typist.undo();
          assert.equal(joinFile({ ...file, body: typist.read() }), text, name);
        }
      }
    }
    assert.ok(Math.min(...Object.values(tried)) > 100, JSON.stringify(tried));
  });

  it("moves every block whole, and is the original again after undo", () => {
    const files = corpus.filter(({ text }) => text.length < MAX_LENGTH / 2).slice(0, 500);
    assert.equal(files.length, 500);
    let moved = 0;
    for (const { name, text } of files) {
      const file = splitFile(text);
      const typist = new Typist(file.body, markdownLanguage);
      const wordsOf = (state: EditorState): string[] =>
        textBlocks(state).map(({ from, to }) => state.sliceDoc(from, to));
      const blocks = textBlocks(typist.state);
      const step = Math.max(1, Math.floor(blocks.length / 3));
      for (let at = 0; at < blocks.length; at += step) {
        for (const target of [at - 1, at + 2, blocks.length]) {
          const spec = moveBlocks(typist.state, { first: at, last: at }, target);
          if (spec === null) continue;
          const order = blocks.toSpliced(at, 1);
          order.splice(target > at ? target - 1 : target, 0, blocks[at] ?? assert.fail());
          const words = order.map(({ from, to }) => typist.state.sliceDoc(from, to));
          typist.run(({ state, dispatch }) => (dispatch(state.update(spec)), true), 0);
          moved += 1;
          // Lists that become neighbours are one list, and so is code in spaces below a list.
          const areOne = order.some(({ kind }, place) => {
            const next = order[place + 1]?.kind;
            return (kind === "list" || kind === "code") && (next === "list" || next === "code");
          });
          if (!areOne) assert.deepEqual(wordsOf(typist.state), words, name);
          typist.undo();
          assert.equal(joinFile({ ...file, body: typist.read() }), text, name);
        }
      }
    }
    assert.ok(moved > 2_000, `${moved} moves`);
  });

  it("keeps line ends of mixed files where nothing was typed", () => {
    const body = "one\r\ntwo\nthree\rfour\r\nfive\n";
    const typist = new Typist(body);
    typist.replace(5, 5, "X");
    assert.equal(typist.read(), "one\r\ntXwo\nthree\rfour\r\nfive\n");
    typist.replace(typist.state.doc.length, typist.state.doc.length, "six\n");
    assert.equal(typist.read(), "one\r\ntXwo\nthree\rfour\r\nfive\nsix\r\n");
    typist.undo();
    typist.undo();
    assert.equal(typist.read(), body);
  });

  it("sets a key of front matter in its own lines, and back to the original", () => {
    let tried = 0;
    for (const { name, text } of corpus) {
      const file = splitFile(text);
      const { values } = readFrontMatter(file.yaml);
      for (const [key, value] of Object.entries(values ?? {})) {
        if (typeof value !== "string" || value.includes("\n") || value === "") continue;
        tried += 1;
        const changed = setKey(file, key, `${value} more`);
        const lines = differingLines(file.yaml, changed.yaml);
        assert.equal(lines.before.length, 1, `${name}: ${key}`);
        assert.equal(lines.after.length, 1, `${name}: ${key}`);
        assert.equal(joinFile(setKey(changed, key, value)), text, `${name}: ${key}`);
      }
    }
    assert.ok(tried > 100, `${tried} keys`);
  });

  it("keeps comments, quotes and the style of lists", () => {
    const file = splitFile(
      '---\n# first\ntitle: "Harbour" # shown\ntags: [sea, boats]\nlinks:\n- a\n- b\nempty:\nlast: 1\n---\nBody\n',
    );
    const title = setKey(file, "title", "Port");
    assert.match(title.yaml, /^# first\ntitle: "Port" # shown\ntags: \[sea, boats\]\n/);
    const tags = setKey(file, "tags", ["sea", "boats", "salt"]);
    assert.match(tags.yaml, /\ntags: \[ ?sea, boats, salt ?\]\nlinks:\n/);
    const links = setKey(file, "links", ["a", "b", "c"]);
    assert.match(links.yaml, /\nlinks:\n- a\n- b\n- c\nempty:\n/);
    assert.match(setKey(file, "empty", "x").yaml, /\nempty: x\nlast: 1\n$/);
    assert.match(setKey(file, "links", undefined).yaml, /boats\]\nempty:\nlast: 1\n$/);
    assert.equal(setKey(file, "last", 1), file);
    assert.match(setKey(file, "new", true).yaml, /\nlast: 1\nnew: true\n$/);
  });

  it("adds front matter to a file without", () => {
    const file = splitFile("\uFEFFBody\r\n");
    assert.equal(joinFile(setKey(file, "title", "A")), "\uFEFF---\r\ntitle: A\r\n---\r\nBody\r\n");
  });

  it("reports front matter that is not valid", () => {
    assert.notEqual(readFrontMatter("a: [").error, null);
    assert.notEqual(readFrontMatter("- a").error, null);
    assert.equal(readFrontMatter("").error, null);
  });
});
