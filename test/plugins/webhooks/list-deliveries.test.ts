import assert from "node:assert/strict";
import { formatDelivery, listDeliveriesCommand } from "../../../plugins/webhooks/commands.js";
import { DeliveryLog } from "../../../plugins/webhooks/delivery-log.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { deliveryRecord } from "../../support/servers/delivery-records.js";

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

describe("webhooks:list", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function run(options: Record<string, unknown>, count: number) {
    site = await bootSite({ plugins: ["webhooks"], clock: { now: () => createdAt } });
    const records = site.site.use("records");
    const log = new DeliveryLog(records);
    for (let at = 0; at < count; at += 1) {
      const record = deliveryRecord({ createdAt });
      await log.write(record);
    }
    const { out, ...printed } = commandOutput();
    const context = async () => site.site.context("webhooks");
    await listDeliveriesCommand().run({ args: [], options, site: context, out, root: site.root });
    return printed;
  }

  it("prints fifty deliveries of the week and their total", async () => {
    const { lines } = await run({}, 53);
    assert.equal(lines.length, 51);
    assert.equal(lines.at(-1), "50 of 53 deliveries");
  });

  it("reports an empty list", async () => {
    assert.deepEqual((await run({}, 0)).lines, ["no deliveries"]);
  });

  it("prints one JSON value with --json", async () => {
    const { json, lines } = await run({ json: true }, 2);
    assert.deepEqual(lines, []);
    assert.equal(json.length, 1);
    assert.match(JSON.stringify(json[0]), /"total":2/);
  });
});
