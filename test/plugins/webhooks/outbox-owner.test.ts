import assert from "node:assert/strict";
import { readFile, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { OutboxOwner } from "../../../plugins/webhooks/outbox-owner.js";
import { useFolder } from "../../support/folder.js";

describe("the owner of the outbox", () => {
  const folder = useFolder();
  const owners: OutboxOwner[] = [];
  afterEach(async () => {
    for (const owner of owners.splice(0)) await owner.close();
  });

  const file = (): string => join(folder.path, "webhook-logs", ".owner");
  async function start(path = file()) {
    const owned = { times: 0 };
    const owner = new OutboxOwner(path, () => void (owned.times += 1));
    owners.push(owner);
    await owner.start();
    return { owner, owned };
  }

  it("is the first that asks; the file names its process", async () => {
    const { owner, owned } = await start();
    assert.equal(owner.isOwner, true);
    assert.equal(owned.times, 1);
    assert.equal(await readFile(file(), "utf8"), `${process.pid} ${hostname()}\n`);
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  for (const [what, holder, isHeld] of [
    ["a process of this machine that runs", `${process.ppid} ${hostname()}`, true],
    ["a process of another machine", "1 elsewhere.example", true],
    ["a process of this machine that has ended", `2147483646 ${hostname()}`, false],
    ["this process's own number, from a start before", `${process.pid} ${hostname()}`, false],
    ["a number that is none", `-1 ${hostname()}`, false],
    ["text that is no number", `x ${hostname()}`, false],
  ] as const) {
    it(`is ${isHeld ? "not another than" : "taken over from"} ${what}`, async () => {
      const path = join(folder.path, ".owner");
      await writeFile(path, `${holder}\n`);
      const { owner, owned } = await start(path);
      assert.equal(owner.isOwner, !isHeld);
      assert.equal(owned.times, isHeld ? 0 : 1);
      await owner.close();
      assert.equal(
        await stat(path).then(
          () => true,
          () => false,
        ),
        isHeld,
      );
    });
  }

  it("is another when the one before has not been heard of for long", async () => {
    const path = join(folder.path, ".owner");
    await writeFile(path, "1 elsewhere.example\n");
    const longAgo = new Date(Date.now() - 16_000);
    await utimes(path, longAgo, longAgo);
    assert.equal((await start(path)).owner.isOwner, true);
  });

  it("is nobody where the file cannot be made", async () => {
    await writeFile(join(folder.path, "taken"), "");
    const path = join(folder.path, "taken", ".owner");
    const { owner, owned } = await start(path);
    assert.deepEqual([owner.isOwner, owned.times], [false, 0]);
  });
});
