import assert from "node:assert/strict";
import type { SiteSettings } from "#kernel";
import { settings } from "../../../plugins/auth/settings.js";
import { storeSettings } from "../../../plugins/users/stores.js";

const jwt = { secret: "s" };
const auth = (given: unknown): SiteSettings["auth"] => settings.site.parse({ auth: given }).auth;

describe("the stores of a site", () => {
  for (const [given, userStore, authzStore] of [
    [undefined, "local", null],
    [{}, "local", "local"],
    [{ userStore: "db" }, "db", "local"],
    [{ userStore: "session" }, "session", "local"],
    [{ userStore: "db", authzStore: "db" }, "db", "db"],
    [{ authzStore: "db" }, "local", "db"],
    [{ mode: "external-jwt", jwt }, "local", null],
    [{ mode: "external-jwt", jwt, authzStore: "local" }, "local", "local"],
    [{ mode: "external-jwt", jwt, authzStore: "db" }, "local", "db"],
  ] as const) {
    it(`${JSON.stringify(given)}: ${userStore}, ${authzStore}`, () => {
      assert.deepEqual(storeSettings(auth(given)), { userStore, authzStore });
    });
  }
});
