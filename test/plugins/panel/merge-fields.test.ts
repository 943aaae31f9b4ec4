import assert from "node:assert/strict";
import {
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
    const { conflicts, hasBody } = comparison;
    assert.deepEqual(conflicts, [{ key: "title", yours: "Mine", theirs: "Theirs" }]);
    assert.equal(hasBody, false);
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
    assert.ok(comparison?.hasBody);
    assert.equal(
      mergedVersions(conflict, comparison, { choices: {}, body: "Both\n" }),
      base.replace("Body", "Both"),
    );
  });

  it("are merged as text when front matter cannot be read", () => {
    assert.equal(compareVersions(conflictOf(page("a: ["), page("a: 1"))), null);
  });
});
