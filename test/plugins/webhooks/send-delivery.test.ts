import assert from "node:assert/strict";
import type { Command } from "#kernel";
import { redeliverCommand, testCommand } from "../../../plugins/webhooks/commands.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

describe("webhooks:test and webhooks:redeliver", () => {
  let site: TestSite;
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    site = await bootSite({
      plugins: ["webhooks", "outbound"],
      settings: {
        admin: { webhooks: [{ url: receiver.url, events: ["onPageCreate"], label: "ci" }] },
      },
    });
  });
  afterEach(async () => {
    await site.close();
    await receiver.close();
  });

  async function run(command: Command, args: string[], options: Record<string, unknown> = {}) {
    const { out, ...printed } = commandOutput();
    const context = async () => site.site.context("webhooks");
    const code = await command.run({ args, options, site: context, out, root: site.root });
    return { code, ...printed };
  }

  it("send, wait for the outcome and exit with 0", async () => {
    const { code, lines } = await run(testCommand(), ["ci"]);
    assert.equal(code, 0);
    assert.match(lines[0] ?? "", / {2}success {2}test {2}ci {2}1× {2}answered 2\d\d$/);
  });

  it("send an earlier delivery again as a new one", async () => {
    await run(testCommand(), ["ci"]);
    const [former] = (await site.site.use("webhooks").deliveries()).items;
    const { code, json } = await run(redeliverCommand(), [former?.id ?? ""], { json: true });
    assert.equal(code, 0);
    assert.match(JSON.stringify(json[0]), new RegExp(`"redeliveryOf":"${former?.id}"`));
  });

  for (const [name, command] of [
    ["webhooks:test", testCommand],
    ["webhooks:redeliver", redeliverCommand],
  ] as const) {
    for (const args of [[], ["unknown"], ["../../etc/passwd"]]) {
      it(`${name} ${args.join(" ")} exits with 2, prints the fix, and sends nothing`, async () => {
        const { code, errors, lines } = await run(command(), args);
        assert.deepEqual([code, lines.length, errors.length], [2, 0, 3]);
        assert.match(errors[1] ?? "", /fix: \S/);
        assert.equal((await site.site.use("webhooks").deliveries()).total, 0);
      });
    }
  }
});
