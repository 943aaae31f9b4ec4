import assert from "node:assert/strict";
import { findAudience, isWider } from "../../../../plugins/content/write/audience.js";
import { contentRules } from "../../../support/content/content-tree.js";

describe("isWider", () => {
  const now = Date.parse("2026-06-01T00:00:00Z");
  const at = (path: string, fields: string) =>
    findAudience(path, Buffer.from(`---\ntitle: T\n${fields}\n---\n`), contentRules);
  const members = "roles: member";

  for (const [before, after, isMore] of [
    [members, "", true],
    [members, "roles: any", true],
    [members, "roles: [member, staff]", false],
    ["roles: [member, staff]", members, true],
    [members, "roles: { any: [member, staff] }", true],
    ["roles: { any: [member, staff] }", members, false],
    [members, "roles: editor", true],
    ["", members, false],
    [`status: draft\n${members}`, "status: draft", false],
    [`publish_date: 2026-07-01\n${members}`, "publish_date: 2026-07-01", true],
    [`unpublish_date: 2026-05-01\n${members}`, "unpublish_date: 2026-05-01", false],
    ["routable: false", "", true],
    ["", "routable: false", false],
    ["roles: 5", "", true],
  ] as const) {
    it(`says ${isMore} of ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
      assert.equal(isWider(at("a.md", before), at("a.md", after), now), isMore);
    });
  }

  for (const [before, after, isMore] of [
    ["_hero/a.md", "hero/a.md", true],
    ["01._hero/a.md", "01.hero/a.md", true],
    ["x/_a.md", "x/a.md", true],
    ["_drafts/a.md", "a.md", true],
    ["_drafts/a.md", "_hero/a.md", true],
    ["_drafts/_hero/a.md", "_drafts/hero/a.md", false],
    ["a.md", "_hero/a.md", false],
    ["hero/a.md", "other/a.md", false],
    ["a.txt", "a.md", true],
    ["a.md", "a.txt", false],
  ] as const) {
    it(`says ${isMore} of a move from ${before} to ${after}`, () => {
      assert.equal(isWider(at(before, ""), at(after, ""), now), isMore);
    });
  }
});
