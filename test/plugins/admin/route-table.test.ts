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
  } as const;
  it("covers its prefix at the border of a segment", () => {
    const table = new RouteTable("/admin");
    for (const path of ["/admin", "/admin/", "/admin/api/x"]) assert.ok(table.covers(path), path);
    for (const path of ["/administrivia", "/", "/ADMIN", "/x/admin"])
      assert.ok(!table.covers(path), path);
  });
  it("takes a route once", () => {
    const table = new RouteTable("/admin");
    table.add(route);
    table.add({ ...route, method: "post" });
    assert.throws(() => table.add({ ...route, permission: "none" }), { code: "ERR_ADMIN_ROUTE" });
  });
});
