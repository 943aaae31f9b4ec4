import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLog } from "#kernel";
import type { JobRecord } from "#lib/jobs";
import { JobFiles } from "../../../plugins/jobs/engines/job-files.js";
import type { DeliveryRecord, WebhookSection } from "../../../plugins/webhooks/contract.js";
import { bundleProgram } from "../../support/processes/bundle-program.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";
import { until } from "../../support/until.js";
import { webhookSender } from "../../support/servers/webhook-sender.js";
import { tmpdir } from "node:os";

const change = {
  event: "onPageUpdate",
  payload: { sourcePath: "a.md", title: "A" },
} as const;

function createSender(
  folder: string,
  urls: readonly string[],
  options: { delaysMs?: readonly number[] } = {},
) {
  const warnings: [string, Record<string, unknown> | undefined][] = [];
  const logger = {
    ...silentLog,
    warn: (event: string, fields?: Record<string, unknown>) => void warnings.push([event, fields]),
  };
  const endpoints: WebhookSection[] = urls.map((url) => ({
    url,
    events: ["onPageUpdate"],
    enabled: true,
    secret: "a secret",
  }));
  const sender = webhookSender({ folder, endpoints, logger, ...options });
  senders.push(sender);
  const isIdle = async (): Promise<boolean> => (await sender.jobs.list()).length === 0;
  /** Sends a change of a page, with all attempts. */
  const deliver = async (): Promise<void> => {
    await sender.service.tell([change]);
    await until(isIdle);
  };
  return { ...sender, isIdle, deliver, warnings };
}
const senders: { close(): Promise<void> }[] = [];

async function recordsIn(folder: string): Promise<DeliveryRecord[]> {
  const log = join(folder, "log");
  const names = await readdir(log, { recursive: true });
  const files = names.filter((name) => name.endsWith(".json"));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(log, name), "utf8"))),
  );
}

/** Stored jobs no longer wait for their next attempt. */
async function dueNow(folder: string): Promise<void> {
  const store = new JobFiles(join(folder, "jobs"));
  for await (const job of store.list("webhook", "live")) await store.write({ ...job, runAt: 0 });
}

describe("deliveries of webhooks", () => {
  let folder: string;
  let receiver: Receiver;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-deliveries-"));
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.close();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("writes the record before the first attempt", async () => {
    const { deliver } = createSender(folder, [receiver.url]);
    let before: DeliveryRecord[] = [];
    receiver.answer = (res) => {
      recordsIn(folder).then((records) => {
        before = records;
        res.writeHead(204).end();
      }, assert.fail);
    };
    await deliver();
    assert.equal(before.length, 1);
    assert.equal(before[0]?.finalStatus, "pending");
    assert.equal((await recordsIn(folder))[0]?.finalStatus, "success");
  });

  it("waits for the whole delay after a slow failure", async () => {
    const answered: number[] = [];
    receiver.answer = (res) =>
      void setTimeout(() => {
        answered.push(Date.now());
        res.writeHead(500).end();
      }, 300);
    const { deliver } = createSender(folder, [receiver.url], { delaysMs: [250] });
    await deliver();
    const [, second] = receiver.received;
    // Timers may fire a millisecond early.
    assert.ok((second?.at ?? 0) - (answered[0] ?? 0) >= 248, "the second attempt came too soon");
  });

  it("makes four attempts, then warns, with the same id and the same bytes each time", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const { deliver, warnings } = createSender(folder, [receiver.url]);
    await deliver();
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

  it("a redirect is a failure with its status, and is not followed", async () => {
    receiver.answer = (res) => res.writeHead(302, { Location: "http://169.254.169.254/" }).end();
    const { deliver } = createSender(folder, [receiver.url], { delaysMs: [] });
    await deliver();
    const [record] = await recordsIn(folder);
    assert.deepEqual(
      record?.attempts.map(({ statusCode, success }) => [statusCode, success]),
      [[302, false]],
    );
    assert.ok(!("errorMessage" in (record?.attempts[0] ?? {})));
  });

  it("records a network error with its message and status 0", async () => {
    receiver.answer = (res) => res.destroy();
    const { deliver } = createSender(folder, [receiver.url], { delaysMs: [] });
    await deliver();
    const [attempt] = (await recordsIn(folder))[0]?.attempts ?? [];
    assert.equal(attempt?.statusCode, 0);
    assert.match(attempt?.errorMessage ?? "", /ECONNRESET/);
  });

  it("sends 1,000 deliveries over at most eight connections, all of them, in order per page", async () => {
    const { service, isIdle } = createSender(folder, [receiver.url]);
    const pages = Array.from({ length: 1_000 }, (_, at) => `page-${at % 100}.md`);
    for (const [at, sourcePath] of pages.entries())
      await service.tell([{ event: "onPageUpdate", payload: { sourcePath, title: String(at) } }]);
    await until(isIdle);
    assert.equal(receiver.received.length, 1_000);
    assert.ok(receiver.maxConcurrent <= 8, `${receiver.maxConcurrent} at once`);
    const last = new Map<string, number>();
    for (const { body } of receiver.received) {
      const { payload } = JSON.parse(body.toString());
      assert.ok(Number(payload.title) > (last.get(payload.sourcePath) ?? -1), "out of order");
      last.set(payload.sourcePath, Number(payload.title));
    }
  });

  it("an endpoint that hangs does not delay another", async () => {
    const slow = await startReceiver(() => undefined);
    const { service } = createSender(folder, [slow.url, receiver.url]);
    for (let at = 0; at < 20; at += 1)
      await service.tell([
        { event: "onPageUpdate", payload: { sourcePath: `${at}.md`, title: "" } },
      ]);
    await receiver.count(20);
    assert.ok(slow.maxConcurrent <= 8);
    await slow.close();
  });

  it("a restarted site continues with the remaining attempts, up to the fourth", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const first = createSender(folder, [receiver.url], { delaysMs: [30, 60_000, 0] });
    await first.service.tell([change]);
    await receiver.count(2);
    await until(async () => (await recordsIn(folder))[0]?.attempts.length === 2);
    await first.close();
    await dueNow(folder);
    const second = createSender(folder, [receiver.url]);
    await second.jobs.open();
    await until(second.isIdle);
    assert.equal(receiver.received.length, 4);
    assert.equal((await recordsIn(folder))[0]?.finalStatus, "failed");
  });

  it("killed between attempts twenty times, each delivery has four attempts, one id, and every file parses", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const script = fileURLToPath(
      new URL("../../support/processes/delivery-process.ts", import.meta.url),
    );
    const program = await bundleProgram(script);
    const start = (...pages: string[]) =>
      spawn(process.execPath, [program, folder, receiver.url, "[100,100,100]", ...pages], {
        stdio: ["ignore", "ignore", "inherit"],
      });
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
    await rm(dirname(program), { recursive: true });
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

  describe("after a crash", () => {
    /** Leaves a delivery as it was stored `during` an attempt, and starts again. */
    async function restart(during: Partial<JobRecord>, made: Partial<DeliveryRecord> = {}) {
      const first = createSender(folder, [receiver.url], { delaysMs: [60_000, 60_000, 60_000] });
      receiver.answer = (res) => res.writeHead(500).end();
      await first.service.tell([change]);
      await until(async () => (await recordsIn(folder))[0]?.attempts.length === 1);
      await first.close();
      const [record] = await recordsIn(folder);
      assert.ok(record);
      await first.log.write({ ...record, attempts: [], ...made });
      const store = new JobFiles(join(folder, "jobs"));
      for await (const job of store.list("webhook", "live")) {
        await store.write({ ...job, state: "running", startedAt: job.createdAt, ...during });
      }
      receiver.received.length = 0;
      receiver.answer = (res) => res.writeHead(204).end();
      const second = createSender(folder, [receiver.url]);
      await second.jobs.open();
      await until(second.isIdle);
      const [ended] = await recordsIn(folder);
      return { ended, warnings: second.warnings };
    }

    it("counts the interrupted attempt, and makes the remaining ones", async () => {
      const { ended } = await restart({ attempts: 1 });
      assert.equal(ended?.finalStatus, "success");
      const [cut, made] = ended.attempts;
      assert.equal(cut?.timestamp, new Date(ended.createdAt).toISOString());
      assert.match(cut.errorMessage ?? "", /server stopped/);
      assert.deepEqual([made?.attemptNumber, made?.statusCode], [2, 204]);
    });

    it("fails a delivery whose fourth attempt was interrupted, with a warning", async () => {
      const { ended, warnings } = await restart({ attempts: 4 });
      assert.deepEqual([ended?.finalStatus, ended?.attempts.length], ["failed", 4]);
      assert.deepEqual([warnings[0]?.[0], receiver.received.length], ["webhook.failed", 0]);
    });

    it("does not repeat a delivery that is logged as sent", async () => {
      const { ended } = await restart({ attempts: 1 }, { finalStatus: "success" });
      assert.deepEqual([ended?.finalStatus, receiver.received.length], ["success", 0]);
    });
  });

  it("fails a delivery whose endpoint was removed, without an attempt", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const first = createSender(folder, [receiver.url], { delaysMs: [60_000] });
    await first.service.tell([change]);
    await until(async () => (await recordsIn(folder))[0]?.attempts.length === 1);
    await first.close();
    await dueNow(folder);
    const second = createSender(folder, []);
    await second.jobs.open();
    await until(second.isIdle);
    const [record] = await recordsIn(folder);
    assert.deepEqual([record?.finalStatus, record?.attempts.length], ["failed", 1]);
    assert.equal(receiver.received.length, 1);
  });

  it("sends a delivery with all attempts when its record cannot be written", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    await writeFile(join(folder, "log"), "no folder");
    const { deliver, warnings } = createSender(folder, [receiver.url]);
    await deliver();
    assert.equal(receiver.received.length, 4);
    assert.equal(warnings.at(-1)?.[1]?.["statusCode"], 500);
  });
});
