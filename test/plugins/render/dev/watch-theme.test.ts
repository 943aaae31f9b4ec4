import assert from "node:assert/strict";
import { once, EventEmitter } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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
    const stop = watchTheme({ folders: [folder.path], changed, log: silentLog });
    try {
      for (const file of ["a.tsx", "a.tsx", "new/part.tsx"]) {
        const change = once(events, "changed");
        await mkdir(join(folder.path, dirname(file)), { recursive: true });
        await writeFile(join(folder.path, file), String(calls));
        await change;
      }
      assert.ok(calls >= 3);
    } finally {
      stop();
    }
  });
});
