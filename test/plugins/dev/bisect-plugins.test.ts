import assert from "node:assert/strict";
import { assertStatus, limitAfter, symptom } from "../../../plugins/dev/bisect-plugins.js";

describe("symptom", () => {
  const answer = (status: number, body = "text") => ({ status, body, error: null });

  it("is a server error, unless another status is expected", () => {
    assert.equal(symptom(answer(200), {}), null);
    assert.equal(symptom(answer(404), {}), null);
    assert.equal(symptom(answer(500), {}), "status 500");
    assert.equal(symptom(answer(404), { expect: "200" }), "status 404, expected 200");
    assert.equal(symptom(answer(500), { expect: "500" }), null);
  });

  it("is a missing text, or the reason of a missing response", () => {
    assert.equal(symptom(answer(200), { contains: "ex" }), null);
    assert.match(symptom(answer(200), { contains: "welcome" }) ?? "", /"welcome"/);
    assert.equal(symptom({ status: null, body: "", error: "no output" }, {}), "no output");
  });
});

describe("assertStatus", () => {
  it("accepts a status or nothing", () => {
    for (const status of [undefined, "200", "503"]) assertStatus(status);
    for (const status of ["", "x", "99", "2000"]) {
      assert.throws(() => assertStatus(status), { code: "ERR_CLI_OPTION" });
    }
  });
});

describe("limitAfter", () => {
  it("is a multiple of the time without plugins, and never more than configured", () => {
    assert.equal(limitAfter(400, 30_000), 5_000);
    assert.equal(limitAfter(2_100, 30_000), 13_000);
    assert.equal(limitAfter(20_000, 30_000), 30_000);
    assert.equal(limitAfter(400, 2_000), 2_000);
  });
});
