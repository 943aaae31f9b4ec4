import assert from "node:assert/strict";
import { once, EventEmitter } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel/internal";
import { watchTheme } from "../../../../plugins/render/dev/watch-theme.js";
import { useFolder } from "../../../support/folder.js";

describe("watchTheme", () => {
  const folder = useFolder();

  it("reports changed files, also after a failed reload", async () => {
    const events = new EventEmitter();
    let calls = 0;
    const changed = async (): Promise<void> => {
      calls += 1;
      events.emit("changed");
      if (calls === 1) throw new Error("broken theme");
    };
    // A file that exists is watched from the start: a change right after its creation may be lost.
    await writeFile(join(folder.path, "a.tsx"), "zero");
    const stop = await watchTheme({ folders: [folder.path], changed, log: silentLog });
    try {
      for (const text of ["one", "two"]) {
        const change = once(events, "changed");
        await writeFile(join(folder.path, "a.tsx"), text);
        await change;
      }
      assert.equal(calls, 2);
    } finally {
      await stop();
    }
  });
});
