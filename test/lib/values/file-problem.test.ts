import assert from "node:assert/strict";
import { formatKey, formatProblem } from "#lib/values";

const problem = {
  file: "site.yaml",
  line: 7,
  column: 3,
  key: "feed.contnt",
  received: "full",
  expected: "a known key",
  fix: 'did you mean "content"?',
};

describe("a problem of a file", () => {
  it("is one line: position, key, received, expected, fix", () => {
    assert.equal(
      formatProblem(problem),
      'site.yaml:7:3  feed.contnt  received "full"  expected a known key  did you mean "content"?',
    );
  });

  it("is short and on one line, whatever was received", () => {
    const line = formatProblem({
      ...problem,
      key: "a\nb\u001b[31m",
      received: `x\n${"y".repeat(10_000)}`,
    });
    assert.ok(line.length < 400);
    assert.doesNotMatch(line, /\p{Cc}/u);
  });

  it("shows a missing value as `nothing`", () => {
    assert.match(formatProblem({ ...problem, received: undefined }), /received nothing/);
    assert.match(formatProblem({ ...problem, received: null }), /received null/);
  });

  it("formats keys as a user would", () => {
    assert.equal(formatKey(["webhooks", 0, "url"]), "webhooks[0].url");
    assert.equal(formatKey([]), "");
  });
});
