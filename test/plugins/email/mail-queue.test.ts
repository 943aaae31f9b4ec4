import assert from "node:assert/strict";
import { silentLog, SiteError } from "#kernel";
import {
  MailQueue,
  type QueuedMail,
  type QueueOptions,
} from "../../../plugins/email/mail-queue.js";

describe("the mail queue", () => {
  let sent: string[] = [];
  let kept: Set<string>;
  beforeEach(() => {
    sent = [];
    kept = new Set();
  });
  const mail = (id: string, expiresAt = Infinity): QueuedMail => ({
    expiresAt,
    mail: { ...bare, id },
  });
  const bare = {
    from: { name: "", address: "a@b.c" },
    to: ["a@b.c"],
    replyTo: null,
    subject: "s",
    text: "t",
    html: null,
  };
  const queue = (options: Partial<QueueOptions> = {}): MailQueue =>
    new MailQueue({
      log: silentLog,
      clock: { now: () => 1_000 },
      outbox: {
        keep: async (one) => void kept.add(one.mail.id),
        drop: async (id) => void kept.delete(id),
      },
      pausesMs: [1, 1, 1],
      send: async ({ id }) => void sent.push(id),
      ...options,
    });

  it("sends what is added, a few at a time", async () => {
    let running = 0;
    let most = 0;
    const made = queue({
      send: async ({ id }) => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        sent.push(id);
      },
    });
    const ids = Array.from({ length: 50 }, (_, n) => String(n));
    for (const id of ids) await made.add(mail(id));
    await made.settled();
    assert.deepEqual(sent.sort(), ids.sort());
    assert.equal(kept.size, 0);
    assert.equal(most, 4);
  });

  it("ML12: tries a failed mail again with the same id, and then gives up", async () => {
    const tried: string[] = [];
    const made = queue({
      send: async ({ id }) => {
        tried.push(id);
        if (id === "bad" || tried.filter((one) => one === id).length < 3) throw new Error("down");
        sent.push(id);
      },
    });
    await made.add(mail("late"));
    await made.add(mail("bad"));
    await made.settled();
    assert.deepEqual(sent, ["late"]);
    assert.equal(tried.filter((id) => id === "bad").length, 4);
  });

  it("does not try again what is refused for good", async () => {
    let tries = 0;
    const made = queue({
      send: async () => {
        tries += 1;
        throw new SiteError("ERR_EMAIL_REFUSED", "no");
      },
    });
    await made.add(mail("a"));
    await made.settled();
    assert.equal(tries, 1);
  });

  it("is bounded: beyond that adding answers 503", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const made = queue({ longest: 6, send: () => gate });
    for (let n = 0; n < 6; n += 1) await made.add(mail(String(n)));
    await assert.rejects(made.add(mail("7")), { code: "ERR_EMAIL_QUEUE_FULL", status: 503 });
    release();
    await made.settled();
    await made.add(mail("8"));
    await made.settled();
  });

  it("tries what pauses once more when the site closes, and does not wait longer than allowed", async () => {
    let down = true;
    const made = queue({
      pausesMs: [3_600_000],
      send: async ({ id }) => {
        if (down) throw new Error("down");
        sent.push(id);
      },
    });
    await made.add(mail("a"));
    await new Promise((resolve) => setImmediate(resolve));
    down = false;
    await made.close(5_000);
    assert.deepEqual(sent, ["a"]);
    const stuck = queue({ send: () => new Promise(() => undefined) });
    await stuck.add(mail("b"));
    await stuck.close(10);
    assert.deepEqual([...kept], ["b"]);
  });

  it("F25: what cannot be sent before the site closes stays for the next start", async () => {
    const made = queue({ pausesMs: [3_600_000, 1], send: () => Promise.reject(new Error("down")) });
    await made.add(mail("a"));
    await made.close(5_000);
    assert.deepEqual([...kept], ["a"]);
    const next = queue();
    next.resume([mail("a")]);
    await next.settled();
    assert.deepEqual([sent, kept.size], [["a"], 0]);
  });

  it("does not send what has become useless, nor keep it", async () => {
    const made = queue();
    await made.add(mail("old", 1_000));
    await made.add(mail("new", 1_001));
    await made.settled();
    assert.deepEqual([sent, kept.size], [["new"], 0]);
  });
});
