import assert from "node:assert/strict";
import { ConfigError } from "../../../kernel/config/problem.js";

const problem = {
  file: "site.yaml",
  line: 7,
  column: 3,
  key: "feed.contnt",
  received: "full",
  expected: "a known key",
  fix: 'did you mean "content"?',
};

describe("a problem of the configuration", () => {
  it("is thrown with all the others, as ERR_CONFIG_INVALID", () => {
    const error = new ConfigError([problem, { ...problem, line: 9 }]);
    assert.equal(error.code, "ERR_CONFIG_INVALID");
    assert.equal(error.problems.length, 2);
    assert.equal(error.message.split("\n").length, 3);
  });
});
