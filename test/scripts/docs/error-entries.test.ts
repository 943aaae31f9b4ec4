import assert from "node:assert/strict";
import { partsOf } from "../../../scripts/docs/error-entries.js";

describe("the parts of an error's text", () => {
  it("are cause and fix, each a sentence", () => {
    assert.deepEqual(partsOf("The file is gone: put it back."), {
      cause: "The file is gone.",
      fix: "Put it back.",
    });
    assert.deepEqual(partsOf("The port is taken; choose another"), {
      cause: "The port is taken.",
      fix: "Choose another.",
    });
  });

  it("have no fix when the text only says more about the cause", () => {
    assert.deepEqual(partsOf("A key cannot be set: the message says why."), {
      cause: "A key cannot be set: the message says why.",
      fix: null,
    });
  });

  it("are not cut inside code", () => {
    assert.deepEqual(partsOf("`mode: far` needs `url`: set it to `a: b`."), {
      cause: "`mode: far` needs `url`.",
      fix: "Set it to `a: b`.",
    });
    assert.deepEqual(partsOf("`store: db` needs a path."), {
      cause: "`store: db` needs a path.",
      fix: null,
    });
  });
});
