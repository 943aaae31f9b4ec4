import assert from "node:assert/strict";
import {
  chosenText,
  compareTexts,
  compareVersions,
  mergedVersions,
} from "../../../plugins/panel/client/screens/editor/saving/merge-fields.js";

const page = (fields: string, body = "Body\n"): string => `---\n# kept\n${fields}\n---\n${body}`;
const conflictOf = (yours: string, theirs: string, proposal: string | null = null) => ({
  error: "changed",
  etag: null,
  liveEtag: null,
  base: page("title: A\nparts:\n  - type: x # c\n    text: one"),
  yours,
  theirs,
  proposal,
});

describe("versions of a page in conflict", () => {
  it("take over what only one side changed, and ask for the rest", () => {
    const conflict = conflictOf(
      page("title: Mine\nparts:\n  - type: x # c\n    text: one\nown: 1"),
      page("title: Theirs\nparts:\n  - type: x # c\n    text: two\nother: 2"),
    );
    const comparison = compareVersions(conflict);
    assert.ok(comparison !== null);
    const { conflicts, body } = comparison;
    assert.deepEqual(conflicts, [{ key: "title", yours: "Mine", theirs: "Theirs" }]);
    assert.deepEqual(body, []);
    const mine = { choices: { title: "yours" }, body: "" } as const;
    assert.equal(
      mergedVersions(conflict, comparison, mine),
      page("title: Mine\nparts:\n  - type: x # c\n    text: two\nother: 2\nown: 1"),
    );
    const theirs = { choices: { title: "theirs" }, body: "" } as const;
    assert.match(mergedVersions(conflict, comparison, theirs), /title: Theirs\n/);
  });

  it("take the merged body where bodies differ", () => {
    const base = page("title: A\nparts:\n  - type: x # c\n    text: one");
    const conflict = conflictOf(base.replace("Body", "Mine"), base.replace("Body", "Theirs"));
    const comparison = compareVersions(conflict);
    assert.deepEqual(comparison?.body, [{ kind: "conflict", ours: "Mine\n", theirs: "Theirs\n" }]);
    assert.equal(
      mergedVersions(conflict, comparison, { choices: {}, body: "Both\n" }),
      base.replace("Body", "Both"),
    );
  });

  it("give for each place mine, theirs or both, without marks between them", () => {
    const base = page("title: A", "One\n\nTwo\n\nThree\n\nEnd\n");
    const yours = base.replace("One", "Mine 1").replace("Three", "Mine 3").replace("End", "My end");
    const theirs = base.replace("One", "Theirs 1").replace("Three", "Theirs 3");
    const parts = compareTexts({ ...conflictOf(yours, theirs), base });
    assert.equal(parts.filter(({ kind }) => kind === "conflict").length, 2);
    assert.equal(chosenText(parts, ["yours"]), null);
    assert.equal(
      chosenText(parts, ["both", "theirs"]),
      page("title: A", "Mine 1\nTheirs 1\n\nTwo\n\nTheirs 3\n\nMy end\n"),
    );
    const unknown = compareTexts({ ...conflictOf(yours, theirs), base: null });
    const count = unknown.filter(({ kind }) => kind === "conflict").length;
    for (const [side, text] of [
      ["yours", yours],
      ["theirs", theirs],
    ] as const) {
      assert.equal(
        chosenText(
          unknown,
          Array.from({ length: count }, () => side),
        ),
        text,
      );
    }
  });

  it("put the lines of both on lines of their own", () => {
    const parts = [{ kind: "conflict", ours: "Mine", theirs: "Theirs" }] as const;
    assert.equal(chosenText(parts, ["both"]), "Mine\nTheirs");
  });

  it("are merged as text when front matter cannot be read", () => {
    assert.equal(compareVersions(conflictOf(page("a: ["), page("a: 1"))), null);
  });
});
