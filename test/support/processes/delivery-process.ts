// A process that sends deliveries, to be killed; arguments: <folder> <url> <delays> [page …]
import { webhookSender } from "../servers/webhook-sender.js";

const [folder = "", url = "", delays = "[]", ...pages] = process.argv.slice(2);
const delaysMs: unknown = JSON.parse(delays);
if (!Array.isArray(delaysMs)) throw new TypeError("the delays are no list");
const endpoints = [{ url, events: ["onPageUpdate" as const], enabled: true, secret: "a secret" }];
const { service, jobs, close } = webhookSender({
  folder,
  endpoints,
  delaysMs: delaysMs.map(Number),
});
for (const sourcePath of pages)
  await service.tell([{ event: "onPageUpdate", payload: { sourcePath, title: sourcePath } }]);
await jobs.open();
do await new Promise((resolve) => setTimeout(resolve, 20));
while (!jobs.isOwner || (await jobs.list()).length > 0);
await close();
