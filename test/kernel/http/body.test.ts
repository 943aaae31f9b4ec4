import assert from "node:assert/strict";
import type { BodyDefinition } from "#kernel";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";

describe("a route's body", () => {
  let site: TestSite;
  const bodies: Record<string, BodyDefinition> = {
    json: { as: "json", limit: 100 },
    form: { as: "form", limit: 100 },
    raw: { as: "raw", limit: 100 },
  };
  before(async () => {
    site = await bootProbe(({ http }) => {
      for (const [name, body] of Object.entries(bodies)) {
        http.route({
          method: "post",
          path: `/${name}`,
          summary: name,
          body,
          handler: (req, res, input) => {
            const value = Buffer.isBuffer(input.body) ? input.body.toString("hex") : input.body;
            return http.json(req, res, { value: value ?? null });
          },
        });
      }
    });
  });
  after(() => site.close());
  const post = async (path: string, body: BodyInit | undefined, type: string) => {
    const res = await site.fetch(path, {
      method: "POST",
      headers: { "Content-Type": type },
      ...(body !== undefined && { body }),
    });
    return [res.status, res.status === 200 ? Object(await res.json())["value"] : null];
  };
  const form = "application/x-www-form-urlencoded";

  it("is parsed as a form, with the first value of each field", async () => {
    assert.deepEqual(await post("/form", "a=1&a=2&b=%C3%9F&__proto__=x", form), [
      200,
      Object.fromEntries([
        ["a", "1"],
        ["b", "ß"],
        ["__proto__", "x"],
      ]),
    ]);
  });

  it("may be JSON where a form is expected, not the other way round", async () => {
    assert.deepEqual(await post("/form", '{"a":1}', "application/json"), [200, { a: 1 }]);
    assert.deepEqual(await post("/json", "a=1", form), [415, null]);
  });

  it("is passed as raw bytes, of any type", async () => {
    assert.deepEqual(await post("/raw", new Uint8Array([0xff, 0]), "image/png"), [200, "ff00"]);
  });

  it("is rejected with a charset other than UTF-8", async () => {
    assert.deepEqual(await post("/json", "{}", "application/json; charset=utf-16"), [415, null]);
    assert.deepEqual(await post("/json", "{}", 'application/json; charset="UTF-8"'), [200, {}]);
  });

  it("may be empty for a form or raw bytes of any type, never for JSON", async () => {
    assert.deepEqual(await post("/json", undefined, "text/plain"), [400, null]);
    assert.equal((await post("/form", undefined, form))[0], 200);
    assert.deepEqual(await post("/raw", undefined, "text/plain"), [200, ""]);
  });

  it("is rejected one byte above the limit", async () => {
    assert.equal((await post("/raw", "x".repeat(100), "text/plain"))[0], 200);
    assert.equal((await post("/raw", "x".repeat(101), "text/plain"))[0], 413);
  });
});
