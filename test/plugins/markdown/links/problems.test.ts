import assert from "node:assert/strict";
import { ProblemList } from "../../../../plugins/markdown/links/problems.js";

describe("ProblemList", () => {
  const problem = (sourcePath: string, message: string) => ({ sourcePath, code: "ERR_X", message });

  it("stores the last problem of each file until it is cleared", () => {
    const problems = new ProblemList();
    problems.report(problem("a.md", "first"), "hash");
    problems.report(problem("b.md", "other"), "hash");
    problems.report(problem("a.md", "second"), "hash");
    assert.deepEqual(problems.list(), [problem("a.md", "second"), problem("b.md", "other")]);
    problems.clear("a.md");
    problems.clear("gone.md");
    assert.deepEqual(problems.list(), [problem("b.md", "other")]);
  });

  it("returns a list that later reports do not change", () => {
    const problems = new ProblemList();
    const before = problems.list();
    problems.report(problem("a.md", "new"), "hash");
    assert.deepEqual(before, []);
  });

  it("reports whether a problem is new: another message, another text, or again after it was solved", () => {
    const problems = new ProblemList();
    const report = (message: string, hash: string) =>
      problems.report(problem("a.md", message), hash);
    assert.equal(report("slow", "1"), true);
    assert.equal(report("slow", "1"), false);
    assert.equal(report("slow", "2"), true);
    assert.equal(report("broken", "2"), true);
    problems.clear("a.md");
    assert.equal(report("broken", "2"), true);
  });
});
