import assert from "node:assert/strict";
import { ProblemList } from "../../../plugins/markdown/problems.js";

describe("ProblemList", () => {
  const problem = (sourcePath: string, message: string) => ({ sourcePath, code: "ERR_X", message });

  it("has the last problem of each file until it is cleared", () => {
    const problems = new ProblemList();
    problems.report(problem("a.md", "first"));
    problems.report(problem("b.md", "other"));
    problems.report(problem("a.md", "second"));
    assert.deepEqual(problems.list(), [problem("a.md", "second"), problem("b.md", "other")]);
    problems.clear("a.md");
    problems.clear("gone.md");
    assert.deepEqual(problems.list(), [problem("b.md", "other")]);
  });

  it("hands out a list that later reports do not change", () => {
    const problems = new ProblemList();
    const before = problems.list();
    problems.report(problem("a.md", "new"));
    assert.deepEqual(before, []);
  });
});
