import assert from "node:assert/strict";
import {
  componentProblem,
  messageOf,
  problemPage,
} from "../../../plugins/markdown/component-error.js";
import { pageEntry, pageOf } from "../../support/markdown-pages.js";

const page = pageOf(pageEntry("a/page.mdx"), "body\nmore");

describe("componentProblem", () => {
  it("counts lines in the file, front matter included", () => {
    assert.deepEqual(componentProblem(page, "broken", { line: 2, column: 3 }), {
      sourcePath: "a/page.mdx",
      code: "ERR_MARKDOWN_COMPONENT",
      message: "broken",
      line: 5,
      column: 3,
    });
  });

  it("counts in the body where that is no part of the file any more", () => {
    const changed = { ...page, body: "other" };
    assert.equal(componentProblem(changed, "broken", { line: 2, column: 3 }).line, 2);
  });

  it("has no line without a position", () => {
    assert.equal("line" in componentProblem(page, "broken", null), false);
  });
});

describe("problemPage", () => {
  const problem = componentProblem(page, '<script>"&', { line: 1, column: 2 });

  it("says nothing of the error to visitors", () => {
    const { html, headings } = problemPage(problem, { details: false });
    assert.match(html, /role="alert"/);
    assert.doesNotMatch(html, /script|page\.mdx/);
    assert.deepEqual(headings, []);
  });

  it("shows place and message, escaped, to developers", () => {
    const { html } = problemPage(problem, { details: true });
    assert.ok(html.includes("a/page.mdx:4:2\n&#60;script&#62;&#34;&#38;"));
    assert.doesNotMatch(html, /<script/);
  });
});

describe("messageOf", () => {
  it("takes the folder of the site out of whatever was thrown", () => {
    assert.equal(
      messageOf(new Error("in /srv/site/a.tsx of /srv/site"), "/srv/site"),
      "in a.tsx of ",
    );
    assert.equal(messageOf("text", "/srv/site"), "text");
    assert.equal(messageOf(undefined, "/srv/site"), "undefined");
  });
});
