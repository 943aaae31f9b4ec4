import assert from "node:assert/strict";
import {
  componentProblem,
  describeError,
  problemPage,
} from "../../../../plugins/markdown/formats/mdx.js";
import { pageEntry, pageOf } from "../../../support/content/markdown-pages.js";

const page = pageOf(pageEntry("a/page.mdx"), "body\nmore");

describe("componentProblem", () => {
  it("counts lines in the file, including front matter", () => {
    assert.deepEqual(componentProblem(page, "broken", { line: 2, column: 3 }), {
      sourcePath: "a/page.mdx",
      code: "ERR_MARKDOWN_COMPONENT",
      message: "broken",
      line: 5,
      column: 3,
    });
  });

  it("counts in the body if it is no longer part of the file", () => {
    const changed = { ...page, body: "other" };
    assert.equal(componentProblem(changed, "broken", { line: 2, column: 3 }).line, 2);
  });

  it("has no line without a position", () => {
    assert.equal("line" in componentProblem(page, "broken", null), false);
  });
});

describe("problemPage", () => {
  const problem = componentProblem(page, '<script>"&', { line: 1, column: 2 });

  it("hides the error from visitors", () => {
    const { html, headings } = problemPage(problem, { details: false });
    assert.match(html, /role="alert"/);
    assert.doesNotMatch(html, /script|page\.mdx/);
    assert.deepEqual(headings, []);
  });

  it("shows position and message, escaped, to developers", () => {
    const { html } = problemPage(problem, { details: true });
    assert.ok(html.includes("a/page.mdx:4:2\n&#60;script&#62;&#34;&#38;"));
    assert.doesNotMatch(html, /<script/);
  });
});

describe("messageOf", () => {
  it("removes the site's folder from any error", () => {
    assert.equal(
      describeError(new Error("in /srv/site/a.tsx of /srv/site"), "/srv/site"),
      "in a.tsx of ",
    );
    assert.equal(describeError("text", "/srv/site"), "text");
    assert.equal(describeError(undefined, "/srv/site"), "undefined");
  });
});
