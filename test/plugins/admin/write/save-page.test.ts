import assert from "node:assert/strict";
import type { ContentChangeResult } from "../../../../plugins/content/contract.js";
import { checked } from "../../../../plugins/admin/write/save-page.js";

describe("checked", () => {
  const result = (code: string, message: string, systemCode?: string): ContentChangeResult => ({
    op: "write",
    path: "a.md",
    status: "error",
    errors: [message],
    code,
    ...(systemCode !== undefined && { systemCode }),
  });
  for (const [code, systemCode, status] of [
    ["ERR_CONTENT_EXISTS", undefined, 409],
    ["ERR_CONTENT_MISSING", undefined, 404],
    ["ERR_CONTENT_SIZE", undefined, 413],
    ["ERR_CONTENT_PATH", undefined, 400],
    ["ERR_CONTENT_WRITE", "ENOSPC", 507],
    ["ERR_CONTENT_WRITE", "EDQUOT", 507],
    ["ERR_CONTENT_WRITE", "EACCES", 503],
  ] as const) {
    it(`turns ${code} (${systemCode ?? "no error of the system"}) into ${status}`, () => {
      assert.throws(() => checked(result(code, "x", systemCode)), { status, message: "x" });
    });
  }
  it("decides by the code of the system, not by words of the message", () => {
    const failed = result("ERR_CONTENT_WRITE", "ENOSPC.md could not be written", "EACCES");
    assert.throws(() => checked(failed), { status: 503 });
  });
  it("says when to try again after a refused write", () => {
    const refused = result("ERR_CONTENT_WRITE", "x", "EROFS");
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
