import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { LocalIndex } from "../../../../plugins/users/engines/local.js";
import { emailKey, identityKey, usernameKey } from "../../../../plugins/users/user-fields.js";
import { testUser } from "../../../../plugins/users/testing/user-store-contract.js";
import { useFolder } from "../../../support/folder.js";

describe("the account index", () => {
  const folder = useFolder();
  let index: LocalIndex;
  beforeEach(() => {
    index = new LocalIndex(folder.path);
  });
  const ann = testUser("ann", { username: "Ann", providerId: "1" });
  const keys = [emailKey(ann.email), usernameKey("ann"), identityKey("github", "1")];
  const fill = async (): Promise<void> => {
    for (const key of keys) await index.write(key, "ann");
  };

  it("has a file per key, with a name that reveals no address", async () => {
    await fill();
    for (const key of keys) assert.equal(await index.read(key), "ann");
    assert.deepEqual((await readdir(folder.path)).toSorted(), [
      "by-email",
      "by-identity",
      "by-username",
    ]);
    assert.deepEqual(await readdir(join(folder.path, "by-email")), [
      `${emailKey(ann.email).digest}.json`,
    ]);
    assert.equal(await index.size(), 1);
  });

  it("has no entry for removed or unknown keys", async () => {
    await fill();
    await index.remove(emailKey(ann.email));
    await index.remove(emailKey(ann.email));
    assert.equal(await index.read(emailKey(ann.email)), null);
    assert.equal(await index.read(emailKey("bob@example.org")), null);
  });

  it("is consistent when every entry matches the records", async () => {
    await fill();
    assert.deepEqual(await index.wrong([ann]), []);
    assert.deepEqual(await new LocalIndex(join(folder.path, "new")).wrong([]), []);
  });

  it("finds and repairs missing, foreign and left-over entries", async () => {
    await index.write(emailKey(ann.email), "bob");
    await index.write(usernameKey("gone"), "gone");
    const wrong = await index.wrong([ann]);
    assert.equal(wrong.length, 4);
    await index.repair(wrong);
    assert.deepEqual(await index.wrong([ann]), []);
    assert.equal(await index.read(emailKey(ann.email)), "ann");
    assert.equal(await index.read(identityKey("github", "1")), "ann");
    assert.equal(await index.read(usernameKey("gone")), null);
  });
});
