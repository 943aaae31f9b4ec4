import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { accountLock } from "../../../../plugins/users/engines/local-files.js";
import { deferred } from "../../../support/deferred.js";
import { useFolder } from "../../../support/folder.js";

describe("the lock of the accounts folder", () => {
  const folder = useFolder();

  it("responds 503 and names the folder", async () => {
    const path = join(folder.path, "users");
    await mkdir(path);
    const [begun, gate] = [deferred<void>(), deferred<void>()];
    const holder = accountLock(path).run(() => {
      begun.resolve();
      return gate.promise;
    });
    await begun.promise;
    await assert.rejects(
      accountLock(path).run(async () => "never"),
      { code: "ERR_USER_STORE_LOCKED", status: 503, headers: { "Retry-After": "5" } },
    );
    gate.resolve();
    await holder;
  });
});
