import assert from "node:assert/strict";
import fc from "fast-check";
import {
  assertStatus,
  limitAfter,
  symptom,
  parsePath,
  parseTimeout,
  smallestSet,
} from "../../../plugins/dev/bisect-plugins.js";

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

describe("parsePath", () => {
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

describe("parseTimeout", () => {
  it("accepts whole seconds from one", () => {
    assert.equal(parseTimeout("7"), 7_000);
    assert.ok(parseTimeout() > 1_000);
    for (const seconds of ["0", "-1", "1.5", "soon", "1e9", ""]) {
      assert.throws(() => parseTimeout(seconds), { code: "ERR_CLI_OPTION" });
    }
  });
});

describe("smallestSet", () => {
  it("finds one culprit among sixteen in a few tries", async () => {
    const tried = { count: 0 };
    const all = Array.from({ length: 16 }, (_, at) => at);
    const found = await smallestSet(all, async (some) => {
      tried.count += 1;
      return some.includes(11);
    });
    assert.deepEqual(found, [11]);
    assert.ok(tried.count <= 8, `${tried.count} tries`);
  });

  it("finds plugins that only break together, and no others", async () => {
    const run = async (size: number, culprits: readonly number[]): Promise<void> => {
      const all = Array.from({ length: size }, (_, at) => at);
      const breaks = async (some: readonly number[]) => culprits.every((one) => some.includes(one));
      const found = await smallestSet(all, breaks);
      assert.deepEqual([...found].sort(), [...culprits].sort());
    };
    const cases = fc
      .integer({ min: 1, max: 12 })
      .chain((size) =>
        fc.tuple(
          fc.constant(size),
          fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { minLength: 1, maxLength: 4 }),
        ),
      );
    await fc.assert(fc.asyncProperty(cases, ([size, culprits]) => run(size, culprits)));
  });
});
