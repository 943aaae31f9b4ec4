import assert from "node:assert/strict";
import { collectRecords, isSameRecord } from "../../../../plugins/search/index/documents.js";
import { bootSite } from "../../../support/sites/boot-site.js";

describe("collectRecords", () => {
  it("keeps the first record of each route, and warns of invalid ones", async () => {
    const site = await bootSite({ plugins: ["search"] });
    const { hooks, settings, log } = site.site.context("search");
    const refused: unknown[] = [];
    hooks.on("onSearchRecordsCollect", ({ data }) => {
      const record = { route: "/r", title: "R", body: "first" };
      data.records.push(record, { ...record, body: "second" }, { ...record, route: "r" });
    });
    const warn = (_event: string, fields?: unknown) => void refused.push(fields);
    const found = await collectRecords({ hooks, settings, log: { ...log, warn } });
    assert.deepEqual(
      [...found.values()].map(({ document }) => document.body),
      ["first"],
    );
    assert.deepEqual(refused, [
      {
        by: "search",
        problem: 'route: expected a path such as /events/1, received "r"',
        route: "r",
        fix: "correct what the handlers of onSearchRecordsCollect add",
      },
    ]);
    const [one] = found.values();
    assert.ok(one && isSameRecord(one, structuredClone(one)));
    assert.ok(one && !isSameRecord(one, { ...one, document: { ...one.document, title: "S" } }));
    await site.close();
  });
});
