import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { lockRoot } from "../../../lib/files/process-lock.js";
import { useFolder } from "../../support/folder.js";

describe("lockRoot", () => {
  const folder = useFolder();

  it("rejects a second server, naming process, host and start time of the first", async () => {
    const lock = await lockRoot(folder.path, () => undefined);
    assert.ok(existsSync(join(folder.path, "server.lock")));
    await assert.rejects(
      lockRoot(folder.path, () => undefined),
      (error: unknown) => {
        assert.ok(error instanceof Error && "code" in error);
        assert.equal(error.code, "ERR_ROOT_LOCKED");
        const named = [String(process.pid), JSON.stringify(hostname()), "since 20"];
        for (const part of named) assert.ok(error.message.includes(part), error.message);
        return true;
      },
    );
    lock.release();
    (await lockRoot(folder.path, () => undefined)).release();
  });
});
