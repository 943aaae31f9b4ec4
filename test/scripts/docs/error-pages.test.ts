import assert from "node:assert/strict";
import { partsOf } from "../../../scripts/docs/error-pages.js";

describe("the parts of an error's text", () => {
  it("are its meaning and its fix, each a sentence", () => {
    assert.deepEqual(partsOf("The file is gone: put it back."), {
      meaning: "The file is gone.",
      remedy: "Put it back.",
    });
    assert.deepEqual(partsOf("The port is taken; choose another"), {
      meaning: "The port is taken.",
      remedy: "Choose another.",
    });
  });

  it("are not split inside code", () => {
    assert.deepEqual(partsOf("`mode: far` needs `url`: set it to `a: b`."), {
      meaning: "`mode: far` needs `url`.",
      remedy: "Set it to `a: b`.",
    });
    assert.deepEqual(partsOf("`store: db` needs a path."), {
      meaning: "`store: db` needs a path.",
      remedy: null,
    });
  });
});
