import assert from "node:assert/strict";
import { expectAnswer } from "../../../kernel/http/response/answer.js";

describe("expectAnswer", () => {
  it("rejects a type and headers that cannot be sent", () => {
    const answer = { type: "text/plain", body: "" };
    assert.equal(expectAnswer(answer), null);
    assert.match(
      expectAnswer({ ...answer, type: "text/html\n" }) ?? "",
      /^type: "Content-Type" is no header/,
    );
    assert.match(
      expectAnswer({ ...answer, type: 7 }) ?? "",
      /^type: expected a string, received 7/,
    );
    assert.match(
      expectAnswer({ ...answer, headers: { a: "\u2026" } }) ?? "",
      /^headers: "a" is no header/,
    );
  });
});
