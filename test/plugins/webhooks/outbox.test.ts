import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeTime } from "ulid";
import { silentLog } from "#kernel";
import { OutboundClient } from "../../../plugins/outbound/client.js";
import { createAttempt } from "../../../plugins/webhooks/attempt.js";
import type { DeliveryRecord, WebhookSection } from "../../../plugins/webhooks/contract.js";
import { DeliveryLog } from "../../../plugins/webhooks/delivery-log.js";
import { Outbox } from "../../../plugins/webhooks/outbox.js";
import { Webhooks } from "../../../plugins/webhooks/service.js";
import { startReceiver, type Receiver } from "../../support/webhook-receiver.js";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";

const clock = { now: () => Date.now() };
const fast = [0, 30, 30, 30];

function createSender(
  folder: string,
  urls: readonly string[],
  options: { delays?: readonly number[]; capacity?: number } = {},
) {
  const warnings: [string, Record<string, unknown> | undefined][] = [];
  const logger = {
    ...silentLog,
    warn: (event: string, fields?: Record<string, unknown>) => void warnings.push([event, fields]),
  };
  const log = new DeliveryLog(folder);
  const endpoints: WebhookSection[] = urls.map((url) => ({
    url,
    events: ["onPageUpdate"],
    enabled: true,
    secret: "a secret",
  }));
  const attempt = createAttempt(new OutboundClient({ denyPrivate: false }), clock.now);
  const parts = { log, endpoints, attempt, clock, logger };
  const outbox = new Outbox({ ...parts, delays: fast, ...options });
  const service = new Webhooks({
    ...parts,
    outbox,
    isSending: () => true,
    whenResumed: async () => undefined,
  });
  return { outbox, service, log, warnings };
}

async function recordsIn(folder: string): Promise<DeliveryRecord[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".json"));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))),
  );
}

async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await claim());) {
    assert.ok(Date.now() < end, "it did not happen within 10 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("the outbox of webhooks", () => {
  let folder: string;
  let receiver: Receiver;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-outbox-"));
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("F14: writes the record before the first attempt", async () => {
    const { service, outbox } = createSender(folder, [receiver.url]);
    let before: DeliveryRecord[] = [];
    receiver.answer = (res) => {
      recordsIn(folder).then((records) => {
        before = records;
        res.writeHead(204).end();
      }, assert.fail);
    };
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await until(() => outbox.pending === 0);
    assert.equal(before.length, 1);
    assert.equal(before[0]?.finalStatus, "pending");
    assert.equal((await recordsIn(folder))[0]?.finalStatus, "success");
  });

  it("waits for the whole delay after a receiver that was slow to fail", async () => {
    const answered: number[] = [];
    receiver.answer = (res) =>
      void setTimeout(() => {
        answered.push(Date.now());
        res.writeHead(500).end();
      }, 300);
    const { service, outbox } = createSender(folder, [receiver.url], { delays: [0, 250] });
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await until(() => outbox.pending === 0);
    const [, second] = receiver.received;
    // Timers may fire a millisecond early.
    assert.ok((second?.at ?? 0) - (answered[0] ?? 0) >= 248, "the second attempt came too soon");
  });

  it("O7: makes four attempts, then warns, with the same id and the same bytes each time", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const { service, outbox, warnings } = createSender(folder, [receiver.url]);
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await until(() => outbox.pending === 0);
    const [record] = await recordsIn(folder);
    assert.equal(record?.finalStatus, "failed");
    assert.deepEqual(
      record?.attempts.map(({ attemptNumber, statusCode, success }) => [
        attemptNumber,
        statusCode,
        success,
      ]),
      [
        [1, 500, false],
        [2, 500, false],
        [3, 500, false],
        [4, 500, false],
      ],
    );
    assert.equal(
      new Set(receiver.received.map(({ headers }) => headers["x-site-delivery"])).size,
      1,
    );
    assert.equal(new Set(receiver.received.map(({ body }) => body.toString())).size, 1);
    assert.deepEqual(
      warnings.map(([event]) => event),
      ["webhook.failed"],
    );
  });

  it("O7: waits 0, 1, 5 and 25 seconds before its attempts", async () => {
    receiver.answer = (res, nth) => res.writeHead(nth < 2 ? 500 : 200).end();
    const { service, outbox } = createSender(folder, [receiver.url], {
      delays: [0, 1_000, 5_000, 25_000],
    });
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await until(() => outbox.pending === 0);
    const [first, second] = receiver.received;
    const gap = (second?.at ?? 0) - (first?.at ?? 0);
    assert.ok(gap >= 900 && gap < 1_600, `${gap} ms`);
  });

  it("O3: a redirect is a failure with its status, and is not followed", async () => {
    receiver.answer = (res) => res.writeHead(302, { Location: "http://169.254.169.254/" }).end();
    const { service, outbox } = createSender(folder, [receiver.url], { delays: [0] });
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await until(() => outbox.pending === 0);
    const [record] = await recordsIn(folder);
    assert.deepEqual(
      record?.attempts.map(({ statusCode, success }) => [statusCode, success]),
      [[302, false]],
    );
    assert.ok(!("errorMessage" in (record?.attempts[0] ?? {})));
  });

  it("records a network error with its message and status 0", async () => {
    receiver.answer = (res) => res.destroy();
    const { service, outbox } = createSender(folder, [receiver.url], { delays: [0] });
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await until(() => outbox.pending === 0);
    const [attempt] = (await recordsIn(folder))[0]?.attempts ?? [];
    assert.equal(attempt?.statusCode, 0);
    assert.match(attempt?.errorMessage ?? "", /ECONNRESET/);
  });

  it("O10: sends 1,000 deliveries over at most eight connections, all of them, in order per page", async () => {
    const { service, outbox } = createSender(folder, [receiver.url], { capacity: 200 });
    const pages = Array.from({ length: 1_000 }, (_, at) => `page-${at % 100}.md`);
    for (const [at, sourcePath] of pages.entries())
      await service.tell([{ event: "onPageUpdate", payload: { sourcePath, title: String(at) } }]);
    await until(() => receiver.received.length === 1_000 && outbox.pending === 0);
    assert.ok(receiver.maxConcurrent <= 8, `${receiver.maxConcurrent} at once`);
    const last = new Map<string, number>();
    for (const { body } of receiver.received) {
      const { payload } = JSON.parse(body.toString());
      assert.ok(Number(payload.title) > (last.get(payload.sourcePath) ?? -1), "out of order");
      last.set(payload.sourcePath, Number(payload.title));
    }
  }).timeout(60_000);

  it("O5: an endpoint that hangs does not hold up another", async () => {
    const slow = await startReceiver(() => undefined);
    const { service, outbox } = createSender(folder, [slow.url, receiver.url]);
    for (let at = 0; at < 20; at += 1)
      await service.tell([
        { event: "onPageUpdate", payload: { sourcePath: `${at}.md`, title: "" } },
      ]);
    await receiver.count(20);
    assert.ok(slow.maxConcurrent <= 8);
    await slow.close();
    await outbox.close();
  });

  it("O7: a closed outbox goes on where it was, up to the fourth attempt", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const first = createSender(folder, [receiver.url], { delays: [0, 30, 60_000, 0] });
    await first.service.tell([
      { event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } },
    ]);
    await receiver.count(2);
    await first.outbox.close();
    const second = createSender(folder, [receiver.url]);
    await second.outbox.resume();
    await until(() => second.outbox.pending === 0);
    assert.equal(receiver.received.length, 4);
    assert.equal((await recordsIn(folder))[0]?.finalStatus, "failed");
  });

  it("O7, O8, F1: killed between attempts twenty times, each delivery has four attempts, one id, and every file parses", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const script = fileURLToPath(new URL("../../support/outbox-process.ts", import.meta.url));
    const start = (...pages: string[]) =>
      spawn(
        process.execPath,
        [
          "--import=tsx",
          "--conditions=source",
          script,
          folder,
          receiver.url,
          "[0,100,100,100]",
          ...pages,
        ],
        {
          stdio: ["ignore", "ignore", "inherit"],
        },
      );
    for (let run = 1; run <= 20; run += 1) {
      const before = receiver.received.length;
      const child = start(`page-${run}.md`);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await receiver.count(before + 1 + (run % 3));
      child.kill("SIGKILL");
      await ended;
      await recordsIn(folder);
    }
    const last = start();
    await new Promise((resolve) => last.once("exit", resolve));
    const records = await recordsIn(folder);
    assert.equal(records.length, 20);
    const seen = new Map<string, number>();
    for (const { headers } of receiver.received) {
      const id = String(headers["x-site-delivery"]);
      seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    for (const { id, finalStatus, attempts } of records) {
      assert.equal(finalStatus, "failed");
      assert.deepEqual(
        attempts.map(({ attemptNumber }) => attemptNumber),
        [1, 2, 3, 4],
      );
      // A kill in the middle of an attempt leaves open whether it was sent; it counts as made.
      const cut = attempts.filter(({ errorMessage }) =>
        errorMessage?.includes("server stopped"),
      ).length;
      const requests = seen.get(id) ?? 0;
      assert.ok(
        requests >= 4 - cut && requests <= 4,
        `${id}: ${requests} requests, ${cut} cut off`,
      );
    }
  }).timeout(180_000);

  it("O7: knows before which moment everything has ended, and does not say so too early", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const { outbox, service } = createSender(folder, [receiver.url], { delays: [0, 60_000] });
    assert.equal(outbox.settledBefore(), null, "before the first look at what is left");
    await outbox.resume();
    const idle = outbox.settledBefore();
    assert.ok(idle !== null && idle <= Date.now() - 600_000, "new records may be on their way");
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md", title: "A" } }]);
    await receiver.count(1);
    const made = decodeTime((await recordsIn(folder))[0]?.id ?? "");
    const busy = outbox.settledBefore();
    assert.ok(busy !== null && busy <= made);
    await outbox.close();
  });

  it("skips torn, empty and foreign files, and finds the newest among 5,000", async () => {
    const { log, service } = createSender(folder, []);
    const { mkdir, writeFile } = await import("node:fs/promises");
    const { ulid } = await import("ulid");
    const day = new Date().toISOString().slice(0, 10);
    await mkdir(join(folder, day), { recursive: true });
    await mkdir(join(folder, day, "folder.json"));
    const write = (name: string, text: string) => writeFile(join(folder, day, name), text);
    const ids: string[] = [];
    const start = Date.now() - 5_000;
    for (let at = 0; at < 5_000; at += 1) {
      const id = ulid(start + at);
      ids.push(id);
      const record = {
        id,
        endpointUrl: "http://x/",
        endpointLabel: "",
        event: "e",
        payload: {},
        attempts: [],
        finalStatus: "success",
        createdAt: start + at,
        endpointIndex: 0,
      };
      await write(`${id}.json`, JSON.stringify(record));
    }
    await write(`${ulid()}.json`, "");
    await write(`${ulid()}.json`, '{"id": "torn');
    await write("notes.txt", "mine");
    await write(".tmp-123", "{}");
    const { items } = await service.deliveries({ days: 7, limit: 50 });
    const sameDay = ids.filter((id) => items.some((item) => item.id === id));
    assert.equal(items.length, 50);
    assert.deepEqual(
      items.map(({ id }) => id),
      ids.slice(-50).reverse(),
    );
    assert.equal(sameDay.length, 50);
    assert.equal(await log.read("../../../etc/passwd"), null);
  });
});
