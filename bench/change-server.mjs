// The compiled site, telling its parent about changes of the tree and the processor time it has used.
import { createEnv, createSite } from "../dist/kernel/index.js";
import { house } from "../dist/plugins/main.js";

const site = await createSite(process.argv[2], {
  house,
  env: createEnv({ SITE_ENV: "production", SITE_LOG_LEVEL: "error", SITE_LOG_FORMAT: "json" }),
  overrides: { system: { server: { rate_limit: 1_000_000 } } },
});
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const port = await site.listen(0);
await site.ready;
site.use("content").subscribe(({ created, updated, deleted }) => {
  const routes = [...created, ...updated, ...deleted].map(({ route }) => route);
  process.send({ event: "changed", cpu: cpu(), routes });
});
// Processor time between two looks, two milliseconds apart: what requests waited for in one piece.
const turns = [];
let last = cpu();
setInterval(() => {
  const now = cpu();
  turns.push((now - last) / 1000);
  last = now;
}, 2);
process.on("message", (asked) => {
  const longest = turns.splice(0).toSorted((a, b) => b - a);
  process.send(
    asked === "turns"
      ? { event: "turns", turns: longest.slice(0, 5) }
      : { event: "cpu", cpu: cpu() },
  );
});
process.on("disconnect", () => void site.close().then(() => process.exit(0)));
process.send({ event: "ready", port });
