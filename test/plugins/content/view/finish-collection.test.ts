import assert from "node:assert/strict";
import type { Hooks } from "#kernel";
import type { Collection, CollectionQuery } from "../../../../plugins/content/contract.js";
import { finishCollection } from "../../../../plugins/content/view/finish-collection.js";

const query: CollectionQuery = { items: "@self.children" };
const found: Collection = {
  items: [],
  total: 0,
  page: 1,
  pages: 0,
  hasNext: false,
  hasPrev: false,
};
const hooks = (
  transform: Hooks["transform"],
  isHeard = true,
): Pick<Hooks, "has" | "transform"> => ({
  has: () => isHeard,
  transform,
});

describe("finishCollection", () => {
  it("returns synchronously when no hook is registered", () => {
    const transform: Hooks["transform"] = () => assert.fail("asked");
    assert.equal(finishCollection(hooks(transform, false), query, found), found);
  });

  it("returns the result of the handlers, sync or async", async () => {
    const empty: Hooks["transform"] = (_, data) => ({
      ...data,
      collection: { ...found, total: 7 },
    });
    assert.equal((await finishCollection(hooks(empty), query, found)).total, 7);
    const later: Hooks["transform"] = async (_, data) => data;
    assert.equal(await finishCollection(hooks(later), query, found), found);
  });
});
