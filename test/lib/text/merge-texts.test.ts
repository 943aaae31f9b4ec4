import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mergeTexts } from "#lib/text";
import { useFolder } from "../../support/folder.js";

const base = "one\ntwo\nthree\nfour\nfive\n";

describe("mergeTexts", () => {
  const folder = useFolder();

  it("applies edits of different lines", () => {
    const ours = "ONE\ntwo\nthree\nfour\nfive\n";
    const theirs = "one\ntwo\nthree\nfour\nfive\nsix\n";
    const text = "ONE\ntwo\nthree\nfour\nfive\nsix\n";
    assert.deepEqual(mergeTexts({ base, ours, theirs }), { text, conflicts: 0 });
  });

  it("applies equal edits once", () => {
    const both = "one\n2\nthree\nfour\nfive\n";
    assert.deepEqual(mergeTexts({ base, ours: both, theirs: both }), { text: both, conflicts: 0 });
  });

  it("marks edits of the same or neighbouring lines as conflicts", () => {
    const ours = "one\nOURS\nthree\nfour\nfive\n";
    for (const theirs of ["one\nTHEIRS\nthree\nfour\nfive\n", "one\ntwo\nTHEIRS\nfour\nfive\n"]) {
      assert.equal(mergeTexts({ base, ours, theirs }).conflicts, 1, theirs);
    }
    const { text } = mergeTexts({
      base,
      ours,
      theirs: "one\nTHEIRS\nthree\nfour\nfive\n",
      labels: { ours: "yours", theirs: "current" },
    });
    const both = "<<<<<<< yours\nOURS\n=======\nTHEIRS\n>>>>>>> current\n";
    assert.equal(text, `one\n${both}three\nfour\nfive\n`);
  });

  it("keeps line ends, and puts markers on lines of their own", () => {
    const windows = { base: "a\r\nb\r\nc", ours: "A\r\nb\r\nc", theirs: "a\r\nb\r\nC" };
    assert.deepEqual(mergeTexts(windows), { text: "A\r\nb\r\nC", conflicts: 0 });
    const { text } = mergeTexts({ base: "a", ours: "b", theirs: "c" });
    assert.equal(text, "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
  });

  it("merges texts of many lines", () => {
    const many = Array.from({ length: 400_000 }, (_, at) => `${at}\n`).join("");
    const { text, conflicts } = mergeTexts({ base: many, ours: `first\n${many}`, theirs: many });
    assert.equal(conflicts, 0);
    assert.equal(text, `first\n${many}`);
    const replaced = "x\n".repeat(400_000);
    assert.equal(mergeTexts({ base: many, ours: replaced, theirs: many }).text, replaced);
  });

  it("merges as git does, whatever the edits", () => {
    const git = gitMerge(folder.path);
    let clean = 0;
    for (let seed = 1; seed <= 120; seed += 1) {
      const random = generator(seed);
      const lines = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, at) => `${at}`);
      const [ours, theirs] = [edited(lines, random, "o"), edited(lines, random, "t")];
      const input = { base: textOf(lines), ours: textOf(ours), theirs: textOf(theirs) };
      const expected = git(input);
      const { text, conflicts } = mergeTexts(input);
      assert.equal(conflicts === 0, expected !== null, `seed ${seed}: ${JSON.stringify(input)}`);
      if (expected !== null) {
        clean += 1;
        assert.equal(text, expected, `seed ${seed}`);
      }
    }
    assert.ok(clean > 20 && clean < 110, `${clean} of 120 are clean`);
  });
});

function gitMerge(folder: string) {
  return (texts: { base: string; ours: string; theirs: string }): string | null => {
    const files = [texts.ours, texts.base, texts.theirs].map((text, at) => {
      const file = join(folder, `${at}`);
      writeFileSync(file, text);
      return file;
    });
    const run = spawnSync("git", ["merge-file", "-p", "-q", ...files], { encoding: "utf8" });
    return run.status === 0 ? run.stdout : null;
  };
}

function edited(lines: readonly string[], random: () => number, name: string): string[] {
  return lines.flatMap((line, at) => {
    const roll = random();
    if (roll < 0.08) return [];
    if (roll < 0.16) return [`${name}${at}`];
    if (roll < 0.24) return [line, `${name}+${at}`];
    return [line];
  });
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
