import assert from "node:assert/strict";
import type { ContentView, Viewer } from "../../../../plugins/content/contract.js";
import { isPersonal, readsOf, type Scope } from "../../../../plugins/render/page/render-context.js";

const scope = (
  options: { personal?: boolean; user?: object; viewer?: Partial<Viewer> } = {},
): Scope => {
  const viewer = { roles: null, seesUnpublished: false, ...options.viewer };
  const view: Partial<ContentView> = {
    personal: options.personal ?? false,
    viewer,
    reads: new Set(["nav"]),
  };
  return { view, user: options.user ?? null } as unknown as Scope;
};

describe("isPersonal", () => {
  it("is true for everything that may depend on the visitor", () => {
    assert.equal(isPersonal(scope()), false);
    assert.equal(isPersonal(scope({ personal: true })), true);
    assert.equal(isPersonal(scope({ user: {} })), true);
    assert.equal(isPersonal(scope({ viewer: { roles: [] } })), true);
    assert.equal(isPersonal(scope({ viewer: { seesUnpublished: true } })), true);
  });
});

describe("readsOf", () => {
  it("contains what was read, the configuration, the theme and the caller's tags", () => {
    assert.deepEqual([...readsOf(scope(), ["flex:team"])], ["nav", "config", "theme", "flex:team"]);
  });
});
