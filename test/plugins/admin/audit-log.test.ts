import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import { AuditLog } from "../../../plugins/admin/audit-log.js";

describe("AuditLog", () => {
  let folder: string;
  let file: string;
  let log: AuditLog;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-audit-"));
    file = join(folder, "new/audit.jsonl");
    log = new AuditLog(new FileStore(join(folder, "new")), { now: () => 5 }, silentLog);
  });
  afterEach(() => rm(folder, { recursive: true }));
  const all = { limit: 1000, offset: 0 };

  it("records actor, action, address and outcome, in order, readable only by the owner", async () => {
    log.write({
      event: "page.update",
      actor: { id: "1", name: "Eva" },
      ip: "::1",
      target: { type: "page", id: "a.md" },
    });
    log.write({ event: "auth.login_failed", outcome: "failure" });
    const { entries, total } = await log.list(all);
    assert.equal(total, 2);
    assert.deepEqual(
      entries.map(({ event, outcome }) => [event, outcome]),
      [
        ["auth.login_failed", "failure"],
        ["page.update", "success"],
      ],
    );
    assert.deepEqual(entries[1]?.actor, { id: "1", name: "Eva" });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("writes no secrets, and one line per entry", async () => {
    log.write({
      event: "x",
      detail: { password: "canary", apiKey: "canary", note: "a\nb".repeat(500) },
    });
    const { entries } = await log.list(all);
    assert.equal(entries.length, 1);
    assert.doesNotMatch(JSON.stringify(entries), /canary/);
    assert.ok(String(entries[0]?.detail["note"]).length < 600);
  });

  it("filters by event, actor and outcome", async () => {
    log.write({ event: "a", actor: { id: "1", name: "" } });
    log.write({ event: "a", outcome: "failure" });
    log.write({ event: "b" });
    assert.equal((await log.list({ ...all, event: "a" })).total, 2);
    assert.equal((await log.list({ ...all, actor: "1" })).total, 1);
    assert.equal((await log.list({ ...all, outcome: "failure" })).total, 1);
    assert.equal((await log.list({ limit: 1, offset: 1 })).entries[0]?.event, "a");
  });

  it("rotates a full file and retains five former ones", async () => {
    log.write({ event: "first" });
    await log.settled();
    for (let round = 0; round < 7; round += 1) {
      await appendFile(file, `${"x".repeat(5 * 1_048_576)}\n`);
      log.write({ event: `round${round}` });
      await log.settled();
    }
    const names = (await readdir(join(folder, "new"))).sort();
    assert.deepEqual(names, [
      "audit.1.jsonl",
      "audit.2.jsonl",
      "audit.3.jsonl",
      "audit.4.jsonl",
      "audit.5.jsonl",
      "audit.jsonl",
    ]);
    const { entries } = await log.list(all);
    assert.equal(entries[0]?.event, "round6");
  });

  it("skips truncated lines, and ignores a failing disk", async () => {
    log.write({ event: "whole" });
    await log.settled();
    await appendFile(file, '{"event":"torn');
    assert.equal((await log.list(all)).total, 1);
    await writeFile(join(folder, "blocked"), "");
    const blocked = new AuditLog(
      new FileStore(join(folder, "blocked")),
      { now: () => 5 },
      silentLog,
    );
    blocked.write({ event: "x" });
    await blocked.settled();
  });
});
