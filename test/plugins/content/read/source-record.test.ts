import assert from "node:assert/strict";
import { bootSite } from "../../../support/sites/boot-site.js";

const HEADINGS: readonly (readonly [string, string])[] = [
  ["# Plain", "Plain"],
  ["# With an id {#with-an-id}", "With an id"],
  ["## Second level ##", "Second level"],
  ["# *Marks* and [a link](https://example.org) and `code`", "Marks and a link and code"],
  ["```\n# not this\n```\n# But this", "But this"],
  ["Text first\n\n# Later", "Later"],
  [`# ${"![".repeat(30_000)}`, "![".repeat(500)],
  [`# a${" ".repeat(60_000)}b`, "a"],
];

describe("the title of a page without one", () => {
  it("is its first heading, without marks and ids", async () => {
    const files = Object.fromEntries(
      HEADINGS.map(([body], at) => [`content/page-${at}.md`, `${body}\n\nText.\n`]),
    );
    const site = await bootSite({ files, plugins: ["content"] });
    const view = site.site.use("content").view();
    const titles = HEADINGS.map((_, at) => view.page(`/page-${at}`)?.title);
    await site.close();
    assert.deepEqual(
      titles,
      HEADINGS.map(([, title]) => title),
    );
  });
});
