import assert from "node:assert/strict";
import { silentLog } from "#kernel";
import { WriteBacks } from "../../../plugins/flex/flex-objects.js";

describe("WriteBacks", () => {
  it("writes in the background, and a failure affects only its record", async () => {
    const written: string[] = [];
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (_name: string, fields?: unknown) => warnings.push(fields) };
    const writeBacks = new WriteBacks(async (type, id) => {
      if (id === "bad") throw new Error("full");
      written.push(`${type}/${id}`);
    }, log);
    for (const id of ["a", "bad", "b"]) writeBacks.add("product", id);
    await writeBacks.settled();
    assert.deepEqual(written, ["product/a", "product/b"]);
    assert.deepEqual(warnings, [{ type: "product", id: "bad", error: "Error: full" }]);
    await writeBacks.settled();
  });
});
