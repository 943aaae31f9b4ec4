import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import check from "fast-check";
import { parseListQuery } from "../../../plugins/flex/params.js";

describe("parseListQuery", () => {
  it("lists everything without parameters, and ignores unknown ones", () => {
    assert.deepEqual(parseListQuery(""), {});
    assert.deepEqual(parseListQuery("x=1&y[]=2&__proto__=3"), {});
  });

  it("reads limit, offset, order and filters", () => {
    const query = parseListQuery(
      "limit=5&offset=10&order=price:desc&filter[a]=1&filter[a]=2&filter[b]=x%20y",
    );
    assert.deepEqual(query, {
      limit: 5,
      offset: 10,
      order: { by: "price", dir: "desc" },
      filter: { a: ["1", "2"], b: ["x y"] },
    });
    assert.deepEqual(parseListQuery("order=name").order, { by: "name", dir: "asc" });
    assert.deepEqual(parseListQuery("limit=999999999").limit, 1_000_000);
  });

  for (const [search, parameter] of [
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=", "limit"],
    ["limit=0x10", "limit"],
    ["limit=1e9", "limit"],
    [`limit=${"9".repeat(400)}`, "limit"],
    ["limit=1&limit=2", "limit"],
    ["limit[]=1", "limit"],
    ["offset=-1", "offset"],
    ["offset=a", "offset"],
    ["order=", "order"],
    ["order=a:up", "order"],
    ["order=a:asc:x", "order"],
    ["order=a&order=b", "order"],
    ["filter=a", "filter"],
    ["filter[]=a", "filter"],
    ["filter[a][b]=a", "filter"],
    ["filter[a.b]=a", "filter"],
  ] as const) {
    it(`rejects ${search.slice(0, 40)} and names the parameter`, () => {
      assert.throws(
        () => parseListQuery(search),
        (error) =>
          error instanceof HttpError &&
          error.status === 400 &&
          error.message.startsWith(`${parameter}: `),
      );
    });
  }

  it("never sets a prototype", () => {
    assert.throws(() => parseListQuery("filter[__proto__]=x"), { status: 400 });
    const { filter } = parseListQuery("filter[constructor]=x&filter[constructor]=y");
    assert.deepEqual(Object.entries(filter ?? {}), [["constructor", ["x", "y"]]]);
  });

  it("returns a query or a 400 for any query string", () => {
    const names = check.constantFrom("limit", "offset", "order", "filter[a]", "filter", "x");
    check.assert(
      check.property(check.array(check.tuple(names, check.string()), { maxLength: 6 }), (pairs) => {
        try {
          parseListQuery(new URLSearchParams(pairs).toString());
        } catch (error) {
          assert.ok(error instanceof HttpError && error.status === 400);
        }
      }),
    );
  });
});
