import assert from "node:assert/strict";
import type { ContentChangeResult } from "../../../../plugins/content/contract.js";
import { checked } from "../../../../plugins/admin/write/save-page.js";

describe("checked", () => {
  const result = (code: string, message: string): ContentChangeResult => ({
    op: "write",
    path: "a.md",
    status: "error",
    errors: [message],
    code,
  });
  for (const [code, message, status] of [
    ["ERR_CONTENT_EXISTS", "x", 409],
    ["ERR_CONTENT_MISSING", "x", 404],
    ["ERR_CONTENT_SIZE", "x", 413],
    ["ERR_CONTENT_PATH", "x", 400],
    ["ERR_CONTENT_WRITE", "the file could not be written (ENOSPC)", 507],
    ["ERR_CONTENT_WRITE", "the file could not be written (EACCES)", 503],
  ] as const) {
    it(`turns ${code} (${message}) into ${status}`, () => {
      assert.throws(() => checked(result(code, message)), { status, message });
    });
  }
  it("says when to try again after a refused write", () => {
    const refused = result("ERR_CONTENT_WRITE", "the file could not be written (EROFS)");
    assert.throws(() => checked(refused), { headers: { "Retry-After": "30" } });
  });
  it("leaves conflicts and successes to the caller", () => {
    assert.equal(checked(result("ERR_CONTENT_CONFLICT", "x")).status, "error");
    assert.equal(
      checked({ op: "write", path: "a.md", status: "created", errors: [] }).status,
      "created",
    );
  });
});
