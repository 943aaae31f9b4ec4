import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, SiteError } from "#kernel";
import { describeFailure } from "../../../kernel/boot/describe-failure.js";
import { makeRoot } from "../../support/sites/config-root.js";

describe("describeFailure", () => {
  let root = "";
  before(async () => {
    root = await makeRoot({
      "site.yaml": "title: T\nhome: 7\n",
      "plugins/a.ts": Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n"),
    });
  });
  after(() => rm(root, { recursive: true, force: true }));

  it("has position, excerpt, cause and fix of each problem of a configuration", () => {
    const problem = { file: "site.yaml", line: 2, column: 7, key: "home" };
    const rest = { received: 7, expected: "a text", fix: "write a route" };
    const { reasons, stack } = describeFailure(new ConfigError([{ ...problem, ...rest }]), root);
    assert.deepEqual(reasons, [
      {
        cause: "home: received 7, expected a text",
        fix: "write a route",
        place: "site.yaml:2:7",
        excerpt: "  1 | title: T\n> 2 | home: 7\n  3 | ",
      },
    ]);
    assert.deepEqual(stack, []);
  });

  it("has the lines around the position of an exception", () => {
    const cause = Object.assign(new Error("inner"), {
      stack: `Error: inner\n    at f (${join(root, "plugins/a.ts")}:9:2)`,
    });
    const error = new SiteError("ERR_X", "outer", { cause, fix: "fix it" });
    const { reasons, stack } = describeFailure(error, root);
    const [reason] = reasons;
    assert.equal(reason?.place, "plugins/a.ts:9:2");
    assert.equal(reason.cause, "outer");
    assert.equal(reason.fix, "fix it");
    assert.match(
      reason.excerpt ?? "",
      /^ {3}6 \| line 6\n[^]*> {2}9 \| line 9\n[^]*12 \| line 12$/,
    );
    assert.equal(stack.length, 2);
  });

  it("has no excerpt of a missing file, or without a position", () => {
    const gone = Object.assign(new Error("x"), { stack: "Error: x\n    at f (/nowhere/b.ts:1:1)" });
    assert.equal(describeFailure(gone, root).reasons[0]?.excerpt, undefined);
    assert.deepEqual(describeFailure("a text", root), {
      reasons: [{ cause: "a text" }],
      stack: [],
    });
  });
});
