import assert from "node:assert/strict";
import fc from "fast-check";
import { letsInMore, meetsRoles, parseRoles } from "../../../../plugins/content/index/gating.js";

describe("parseRoles", () => {
  for (const [value, rule] of [
    [undefined, null],
    [null, null],
    ["", null],
    ["member", { all: ["member"], any: [] }],
    [" member ", { all: ["member"], any: [] }],
    ["any", { all: [], any: [] }],
    [[], { all: [], any: [] }],
    [["a", "b"], { all: ["a", "b"], any: [] }],
    [["any", "a"], { all: ["a"], any: [] }],
    [{ any: ["a", "b"] }, { all: [], any: ["a", "b"] }],
    [{ all: "a" }, { all: ["a"], any: [] }],
    [
      { all: ["a"], any: ["b"] },
      { all: ["a"], any: ["b"] },
    ],
  ] as const) {
    it(`reads ${JSON.stringify(value)}`, () => assert.deepEqual(parseRoles(value), rule));
  }

  for (const value of [
    1,
    true,
    false,
    0,
    " ",
    ["a", 1],
    ["a", ""],
    {},
    { anny: ["a"] },
    { any: ["a"], extra: 1 },
    { any: null },
    { all: [{}] },
  ]) {
    it(`rejects ${JSON.stringify(value)}, so that the page is not public`, () => {
      assert.equal(parseRoles(value), "invalid");
    });
  }

  it("never makes a page with a value public", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fc.pre(value !== undefined && value !== null && value !== "");
        assert.notEqual(parseRoles(value), null);
      }),
    );
  });
});

describe("letsInMore", () => {
  it("is true when some set of roles satisfies the second rule and not the first", () => {
    const names = ["a", "b", "c"];
    const sets = [
      null,
      ...Array.from({ length: 8 }, (_, bits) => names.filter((_name, at) => bits & (1 << at))),
    ];
    const rule = fc.option(fc.record({ all: fc.subarray(names), any: fc.subarray(names) }), {
      nil: null,
    });
    fc.assert(
      fc.property(rule, rule, (before, next) => {
        const meets = (of: typeof rule extends fc.Arbitrary<infer R> ? R : never) =>
          sets.map((roles) => meetsRoles(of, { roles, seesUnpublished: false }));
        const [was, is] = [meets(before), meets(next)];
        assert.equal(
          letsInMore(before, next),
          is.some((seen, at) => seen && !was[at]),
        );
      }),
    );
  });
});

describe("meetsRoles", () => {
  const viewer = (roles: readonly string[] | null) => ({ roles, seesUnpublished: false });

  for (const [rule, roles, meets] of [
    [null, null, true],
    [{ all: [], any: [] }, null, false],
    [{ all: [], any: [] }, [], true],
    [{ all: ["a", "b"], any: [] }, ["a"], false],
    [{ all: ["a", "b"], any: [] }, ["b", "a", "c"], true],
    [{ all: [], any: ["a", "b"] }, ["b"], true],
    [{ all: [], any: ["a", "b"] }, ["c"], false],
    [{ all: ["a"], any: ["b"] }, ["a"], false],
    [{ all: ["a"], any: ["b"] }, ["a", "b"], true],
  ] as const) {
    it(`is ${meets} for ${JSON.stringify(rule)} and roles ${JSON.stringify(roles)}`, () => {
      assert.equal(meetsRoles(rule, viewer(roles)), meets);
    });
  }

  it("needs the roles even of a viewer who sees unpublished pages", () => {
    assert.equal(meetsRoles({ all: ["a"], any: [] }, { roles: [], seesUnpublished: true }), false);
  });
});
