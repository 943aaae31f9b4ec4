import { setKey } from "../../../plugins/panel/client/screens/editor/front-matter/set-key.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { history, undo } from "@codemirror/commands";
import { EditorState, type ChangeSet } from "@codemirror/state";
import { globSync } from "tinyglobby";
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

  constructor(body: string) {
    this.state = EditorState.create({ doc: body, extensions: [history()] });
    this.#body = new BodyText(body, this.state.doc.length);
  }

  replace(from: number, to: number, insert: string): void {
    this.#take(this.state.update({ changes: { from, to, insert } }));
  }

  undo(): void {
    undo({ state: this.state, dispatch: (transaction) => this.#take(transaction) });
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
