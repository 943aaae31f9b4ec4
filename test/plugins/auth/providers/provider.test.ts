import assert from "node:assert/strict";
import { ProviderError } from "../../../../plugins/auth/providers/provider.js";

describe("provider errors", () => {
  it("name the fault, and keep the cause for the log", () => {
    const cause = new Error("socket");
    const error = new ProviderError("code", "the code is used up", cause);
    assert.ok(error instanceof Error);
    assert.deepEqual(
      [error.name, error.fault, error.message, error.cause],
      ["ProviderError", "code", "the code is used up", cause],
    );
  });
});
