import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import type { WebhookSection } from "../../../plugins/webhooks/contract.js";
import { resolveEndpoint, findEndpoint } from "../../../plugins/webhooks/change-to-deliveries.js";
import type { Webhooks } from "../../../plugins/webhooks/service.js";
import { deliveryRecord, webhookEndpoint } from "../../support/servers/delivery-records.js";
import { useFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";
import { webhookSender } from "../../support/servers/webhook-sender.js";

describe("the webhooks service", () => {
  const closers: (() => Promise<void>)[] = [];
  // Before the folder is deleted: a delivery that ends writes into it.
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const folder = useFolder();

  function open(endpoints: readonly WebhookSection[]) {
    const clock = { now: () => Date.parse("2026-11-20T12:00:00Z") };
    const attempt = async () => ({ statusCode: 200, success: true });
    const sender = webhookSender({ folder: folder.path, endpoints, attempt, clock });
    closers.push(sender.close);
    return sender;
  }
  const events = async (service: Webhooks) =>
    (await service.deliveries()).items.map(({ endpointIndex }) => endpointIndex).toSorted();

  it("creates a delivery for each enabled endpoint subscribed to the event", async () => {
    const { service } = open([
      webhookEndpoint(),
      webhookEndpoint({ enabled: false }),
      webhookEndpoint({ events: ["onPageDelete"] }),
      webhookEndpoint(),
    ]);
    await service.tell([{ event: "onPageUpdate", payload: { sourcePath: "a.md" } }]);
    assert.deepEqual(await events(service), [0, 3]);
    const ids = (await service.deliveries()).items.map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });

  it("sends and lists the deliveries of a thousand pages that changed at once", async () => {
    const { service } = open([webhookEndpoint()]);
    const pages = Array.from({ length: 1_100 }, (_, at) => `${at}.md`);
    await service.tell(
      pages.map((sourcePath) => ({ event: "onPageUpdate", payload: { sourcePath } })),
    );
    await until(() => service.status().delivered === 1_100);
    const { items, total } = await service.deliveries({ limit: 2_000 });
    assert.equal(total, 1_100);
    assert.deepEqual(
      items.map(({ payload }) => payload["sourcePath"]).toSorted(),
      pages.toSorted(),
    );
    assert.ok(items.every(({ finalStatus }) => finalStatus === "success"));
  });

  it("leaves events to the process that sends", async () => {
    await open([webhookEndpoint()]).jobs.open();
    const { service } = open([webhookEndpoint()]);
    await service.tell([{ event: "onPageUpdate", payload: {} }]);
    assert.deepEqual(await events(service), []);
    assert.equal(service.status().sending, false);
  });

  it("has the process that sends repeat a delivery", async () => {
    const owner = open([webhookEndpoint()]);
    await owner.jobs.open();
    const { service } = open([webhookEndpoint()]);
    const { id } = await service.test("https://hooks.example/a");
    assert.equal((await service.outcome(id))?.finalStatus, "success");
    assert.equal(owner.service.status().delivered, 1);
  });

  const fails = (code: string, status: number) => (error: unknown) =>
    error instanceof SiteError && error.code === code && error.status === status;

  it("rejects an unknown id, and a removed or disabled endpoint", async () => {
    const { service } = open([webhookEndpoint()]);
    const { id } = await service.test("https://hooks.example/a");
    await assert.rejects(service.redeliver("../x"), fails("ERR_WEBHOOK_UNKNOWN", 404));
    await service.outcome(id);
    const later = open([webhookEndpoint({ enabled: false })]).service;
    await assert.rejects(later.redeliver(id), fails("ERR_WEBHOOK_ENDPOINT", 409));
    await assert.rejects(later.test("https://hooks.example/a"), fails("ERR_WEBHOOK_ENDPOINT", 409));
  });

  it("has no outcome of an unknown delivery", async () => {
    assert.equal(await open([]).service.outcome("x"), null);
  });
});

const [a, b] = ["https://hooks.example/a", "https://hooks.example/b"];

describe("endpoints of webhooks", () => {
  it("are found at the index of the record", () => {
    const twice = [webhookEndpoint(), webhookEndpoint()];
    assert.equal(resolveEndpoint(twice, deliveryRecord({ endpointIndex: 1 })), twice[1]);
  });

  it("are found after the list was reordered", () => {
    const endpoints = [webhookEndpoint({ url: b }), webhookEndpoint({ url: a })];
    assert.equal(resolveEndpoint(endpoints, deliveryRecord({ endpointIndex: 0 })), endpoints[1]);
  });

  for (const [what, endpoint] of [
    ["switched off", webhookEndpoint({ enabled: false })],
    ["at another address", webhookEndpoint({ url: b })],
    ["under another label", webhookEndpoint({ label: "new" })],
  ] as const) {
    it(`are not found for a record when they are ${what}`, () => {
      assert.equal(resolveEndpoint([endpoint], deliveryRecord()), undefined);
    });
  }

  it("are not found for a record with an invalid index", () => {
    assert.equal(resolveEndpoint([], deliveryRecord({ endpointIndex: -1 })), undefined);
  });

  it("are found by label before URL, and never while disabled", () => {
    const endpoints = [
      webhookEndpoint({ url: a, enabled: false, label: "ci" }),
      webhookEndpoint({ url: b }),
      webhookEndpoint({ url: a, label: b }),
    ];
    assert.equal(findEndpoint(endpoints, b), 2);
    assert.equal(findEndpoint(endpoints, a), 2);
    assert.equal(findEndpoint(endpoints, "ci"), -1);
    assert.equal(findEndpoint(endpoints, ""), -1);
  });
});
