// A process that sends the deliveries of a log, to be killed: node --import=tsx outbox-process.ts <folder> <url> <delays> [page …]
import { createAttempt } from "../../plugins/webhooks/attempt.js";
import { DeliveryLog } from "../../plugins/webhooks/delivery-log.js";
import { Outbox } from "../../plugins/webhooks/outbox.js";
import { Webhooks } from "../../plugins/webhooks/service.js";
import { OutboundClient } from "../../plugins/outbound/client.js";
import { silentLog } from "#kernel";

const [folder = "", url = "", delays = "[]", ...pages] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const log = new DeliveryLog(folder);
const endpoints = [{ url, events: ["onPageUpdate" as const], enabled: true, secret: "a secret" }];
const attempt = createAttempt(new OutboundClient({ denyPrivate: false }), clock.now);
const parts = { log, endpoints, attempt, clock, logger: silentLog };
const outbox = new Outbox({ ...parts, delays: JSON.parse(delays) as number[] });
const service = new Webhooks({
  ...parts,
  outbox,
  isSending: () => true,
  whenResumed: async () => undefined,
});
for (const sourcePath of pages)
  await service.tell([{ event: "onPageUpdate", payload: { sourcePath, title: sourcePath } }]);
await outbox.resume();
while (outbox.pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
