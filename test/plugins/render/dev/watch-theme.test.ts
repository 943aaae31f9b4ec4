import assert from "node:assert/strict";
import { once, EventEmitter } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Logger, silentLog } from "#kernel";
import { watchTheme } from "../../../../plugins/render/dev/live-reload.js";
import { readManifest } from "../../../../plugins/render/theme/manifest.js";
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

  it("logs a failed reload as the start and config:validate tell it", async () => {
    const logged = new EventEmitter();
    const log: Logger = {
      ...silentLog,
      error: (event, fields) => void logged.emit("line", event, fields),
    };
    const stop = watchTheme({
      folders: [folder.path],
      changed: async () => void readManifest(folder.path, folder.path),
      log,
    });
    try {
      const line = once(logged, "line");
      await writeFile(join(folder.path, "theme.yaml"), "name: a\ncolour: blue\n");
      const [event, { error, code, fix, at }] = await line;
      assert.equal(event, "render.theme_reload_failed");
      assert.deepEqual(
        [error, code, fix],
        ['theme.yaml:2: unknown key "colour"', "ERR_THEME_MANIFEST", "did you mean colors?"],
      );
      assert.equal(at, `${join(folder.path, "theme.yaml")}:2:1`);
    } finally {
      stop();
    }
  });
});
