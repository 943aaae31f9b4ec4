import assert from "node:assert/strict";
import { RouteTable } from "../../../plugins/admin/route-table.js";

describe("RouteTable", () => {
  const route = {
    method: "get",
    path: "/admin/api/x",
    permission: "any",
    summary: "x",
    isForm: false,
    isPage: false,
    sessionOnly: false,
  } as const;
  it("matches its prefix at segment boundaries", () => {
    const table = new RouteTable("/admin");
    for (const path of ["/admin", "/admin/", "/admin/api/x"]) assert.ok(table.covers(path), path);
    for (const path of ["/administrivia", "/", "/ADMIN", "/x/admin"])
      assert.ok(!table.covers(path), path);
  });
  it("rejects a duplicate route", () => {
    const table = new RouteTable("/admin");
    table.add(route);
    table.add({ ...route, method: "post" });
    assert.throws(() => table.add({ ...route, permission: "none" }), { code: "ERR_ADMIN_ROUTE" });
  });
});
