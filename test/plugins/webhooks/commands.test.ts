import assert from "node:assert/strict";
import type { Command } from "#kernel";
import {
  formatDelivery,
  listDeliveriesCommand,
  redeliverCommand,
  testCommand,
} from "../../../plugins/webhooks/commands.js";
import { DeliveryLog } from "../../../plugins/webhooks/delivery-log.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { deliveryRecord } from "../../support/servers/delivery-records.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const createdAt = Date.parse("2026-11-20T12:00:00Z");
const attempt = { attemptNumber: 1, timestamp: "", statusCode: 500, success: false };

describe("the line about a delivery", () => {
  it("contains the label or URL, and the last response", () => {
    const record = deliveryRecord({
      id: "ID",
      createdAt,
      endpointLabel: "ci",
      attempts: [attempt],
    });
    assert.equal(
      formatDelivery(record),
      "ID  2026-11-20T12:00:00.000Z  pending  onPageUpdate  ci  1×  answered 500",
    );
  });

  it("contains the error instead of status 0, and nothing before the first attempt", () => {
    const failed = { ...attempt, statusCode: 0, errorMessage: "no route" };
    assert.match(formatDelivery(deliveryRecord({ attempts: [failed] })), / {2}1× {2}no route$/);
    assert.match(formatDelivery(deliveryRecord()), /https:\/\/hooks\.example\/a {2}0×$/);
  });
});

describe("the commands for deliveries", () => {
  let site: TestSite;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    site = await bootSite({
      plugins: ["webhooks", "outbound"],
      clock: { now: () => createdAt },
      settings: {
        admin: { webhooks: [{ url: receiver.url, events: ["onPageCreate"], label: "ci" }] },
      },
    });
  });
  after(async () => {
    await site.close();
    await receiver.close();
  });

  async function run(command: Command, args: string[] = [], options: Record<string, unknown> = {}) {
    const { out, ...printed } = commandOutput();
    const context = async () => site.site.context("webhooks");
    const code = await command.run({ args, options, site: context, out, root: site.root });
    return { code, ...printed };
  }
  const total = async () => (await site.site.use("webhooks").deliveries()).total;

  for (const [name, command] of [
    ["webhooks:test", testCommand],
    ["webhooks:redeliver", redeliverCommand],
  ] as const) {
    it(`${name} of something unknown exits with 2, prints the fix, and sends nothing`, async () => {
      for (const args of [[], ["unknown"], ["../../etc/passwd"]]) {
        const { code, errors, lines } = await run(command(), args);
        assert.deepEqual([code, lines.length, errors.length], [2, 0, 3]);
        assert.match(errors[1] ?? "", /fix: \S/);
        assert.equal(await total(), 0);
      }
    });
  }

  it("webhooks:list reports an empty list", async () => {
    assert.deepEqual((await run(listDeliveriesCommand())).lines, ["no deliveries"]);
  });

  it("webhooks:test sends, waits for the outcome and exits with 0", async () => {
    const { code, lines } = await run(testCommand(), ["ci"]);
    assert.equal(code, 0);
    assert.match(lines[0] ?? "", / {2}success {2}test {2}ci {2}1× {2}answered 2\d\d$/);
  });

  it("webhooks:redeliver sends an earlier delivery again as a new one", async () => {
    const [former] = (await site.site.use("webhooks").deliveries()).items;
    const { code, json } = await run(redeliverCommand(), [former?.id ?? ""], { json: true });
    assert.equal(code, 0);
    assert.match(JSON.stringify(json[0]), new RegExp(`"redeliveryOf":"${former?.id}"`));
  });

  it("webhooks:list prints fifty deliveries of the week and their total, or one JSON value", async () => {
    const log = new DeliveryLog(site.site.use("records"));
    for (let at = 0; at < 51; at += 1) await log.write(deliveryRecord({ createdAt }));
    const { lines } = await run(listDeliveriesCommand());
    assert.equal(lines.length, 51);
    assert.equal(lines.at(-1), "50 of 53 deliveries");
    const printed = await run(listDeliveriesCommand(), [], { json: true });
    assert.deepEqual([printed.lines, printed.json.length], [[], 1]);
    assert.match(JSON.stringify(printed.json[0]), /"total":53/);
  });
});
