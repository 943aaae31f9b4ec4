import assert from "node:assert/strict";
import { OpenSites } from "#testing";

describe("OpenSites", () => {
  it("closes open sites once the tests have ended", async () => {
    const closed: string[] = [];
    const site = (name: string) => ({ close: async () => void closed.push(name) });
    const [first, second] = [site("first"), site("second")];
    const open = new OpenSites();
    open.add(first);
    open.add(second);
    open.remove(first);
    await open.closeAll();
    assert.deepEqual(closed, ["second"]);
  });
});
