import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog, type Logger } from "#kernel";
import { MailOutbox } from "../../../plugins/email/mail-outbox.js";
import type { QueuedMail } from "../../../plugins/email/mail-queue.js";
import { useFolder } from "../../support/folder.js";

const ID = "01234567-89ab-cdef-0123-456789abcdef";
const queued: QueuedMail = {
  mail: {
    id: ID,
    from: { name: "Site", address: "a@b.c" },
    to: ["ann@example.org"],
    replyTo: null,
    subject: "Grüße",
    text: "https://site.example/auth/magic?token=canary",
    html: "<p>",
  },
  expiresAt: 2_000,
};

describe("the outbox of mail", () => {
  const folder = useFolder();
  const path = (): string => join(folder.path, "mail");
  const open = (log: Logger = silentLog): MailOutbox => new MailOutbox({ folder: path(), log });

  it("is no folder before the first mail, and empty then", async () => {
    assert.deepEqual(await open().left(), []);
    await open().drop(ID);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("has after a restart what was kept and not dropped, for nobody else to read", async () => {
    await open().keep(queued);
    assert.deepEqual(await open().left(), [queued]);
    assert.equal((await stat(join(path(), `${ID}.json`))).mode & 0o077, 0);
    await open().drop(ID);
    assert.deepEqual(await open().left(), []);
  });

  it("F21: removes what is no mail, and leaves files that are not its own", async () => {
    await mkdir(path());
    const other = ID.replace("0", "1");
    for (const [name, text] of [
      [`${ID}.json`, '{"mail":{"id":"x"}'],
      [`${other}.json`, "null"],
      [".tmp-0011223344556677", "half"],
      ["README", "mine"],
    ] as const) {
      await writeFile(join(path(), name), text);
    }
    assert.deepEqual(await open().left(), []);
    assert.deepEqual(await readdir(path()), ["README"]);
  });

  it("F7: a disk that refuses holds up no mail, and the log says so without the mail", async function () {
    if (process.getuid?.() === 0) {
      await writeFile(path(), "a file where the folder should be");
    } else {
      await mkdir(path(), { mode: 0o500 });
      await chmod(path(), 0o500);
    }
    const lines: string[] = [];
    const warn = (event: string, fields?: Record<string, unknown>): void => {
      lines.push(event + JSON.stringify(fields));
    };
    await open({ ...silentLog, warn }).keep(queued);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /^email\.not_kept/);
    assert.doesNotMatch(lines[0] ?? "", /canary|ann@/);
  });
});
