import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { LocalAuthzStore } from "../../../../plugins/users/engines/authz-local.js";
import { authzStoreContract } from "../../../../plugins/users/testing/authz-store-contract.js";
import { useFolder } from "../../../support/folder.js";

describe("authz store local", () => {
  const folder = useFolder();
  const permissions = (): string => join(folder.path, "permissions");
  const open = (): LocalAuthzStore =>
    new LocalAuthzStore({ folder: permissions(), log: silentLog, now: () => 42 });
  const tuple = { user: "u", relation: "member", object: "role:x" };

  authzStoreContract({ open });

  it("creates no folder before the first tuple", async () => {
    await open().get("u");
    await open().users();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("grants nothing from a malformed file, and sets it aside at the next write", async () => {
    await open().update("u", (record) => ({ ...record, tuples: [tuple] }));
    const [name = ""] = (await readdir(permissions())).filter((file) => file.endsWith(".json"));
    await writeFile(join(permissions(), name), '{"user":"u","tuples":[{"user":"u"}]}');
    assert.equal(await open().get("u"), null);
    await open().update("u", (record) => ({ ...record, tuples: [tuple] }));
    assert.deepEqual((await open().get("u"))?.tuples, [tuple]);
    assert.ok((await readdir(permissions())).includes(`${name}.corrupt-42`));
  });
});
