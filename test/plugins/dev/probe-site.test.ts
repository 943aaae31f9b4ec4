import assert from "node:assert/strict";
import { parsePath, parseTimeout } from "../../../plugins/dev/bisect-plugins.js";

describe("pathOf", () => {
  for (const [address, path] of Object.entries({
    "/blog?page=2": "/blog?page=2",
    "http://localhost:8000/blog?x=1#part": "/blog?x=1",
    "https://site.example": "/",
    "https://site.example?q=1": "/?q=1",
  })) {
    it(`returns ${path} for ${address}`, () => assert.equal(parsePath(address), path));
  }

  for (const address of ["blog", "", "ftp://site.example/x", "javascript:alert(1)"]) {
    it(`rejects ${JSON.stringify(address)}`, () => {
      assert.throws(() => parsePath(address), { code: "ERR_CLI_OPTION" });
    });
  }
});

describe("timeoutOf", () => {
  it("accepts whole seconds from one", () => {
    assert.equal(parseTimeout("7"), 7_000);
    assert.ok(parseTimeout() > 1_000);
    for (const seconds of ["0", "-1", "1.5", "soon", "1e9", ""]) {
      assert.throws(() => parseTimeout(seconds), { code: "ERR_CLI_OPTION" });
    }
  });
});
