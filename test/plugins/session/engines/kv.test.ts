import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KvSessionStore } from "../../../../plugins/session/engines/kv.js";
import { sessionStoreContract } from "../../../../plugins/session/testing/session-store-contract.js";
import { useFolder } from "../../../support/folder.js";
import { useSqlite } from "../../../support/services.js";

describe("session store kv", () => {
  const folder = useFolder();
  const open = (): KvSessionStore =>
    new KvSessionStore(join(folder.path, "kv.sqlite"), () => Date.now());
  const id = `visitor-${"a".repeat(64)}`;
  const record = { userId: "u", kind: "visitor", data: {}, createdAt: 1, expiresAt: 2 } as const;

  before(async function () {
    await useSqlite(this);
  });

  sessionStoreContract({ open });

  it("creates no file before the first session", async () => {
    await open().sweep(Date.now());
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("stores sessions and claims across a restart", async () => {
    const first = open();
    await first.set(id, record);
    await first.claim("token", 60);
    await first.close();
    const second = open();
    assert.deepEqual(await second.get(id), record);
    assert.equal(await second.claim("token", 60), false);
    await second.close();
  });

  it("sets a corrupt file aside and continues", async () => {
    await writeFile(join(folder.path, "kv.sqlite"), "this is no database".repeat(100));
    const store = open();
    await store.set(id, record);
    assert.deepEqual(await store.get(id), record);
    await store.close();
    assert.ok((await readdir(folder.path)).some((name) => name.startsWith("kv.sqlite.corrupt-")));
  });
});
