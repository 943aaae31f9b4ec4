// The compiled site; reports changes of the tree and its CPU time to the parent process.
import { PerformanceObserver } from "node:perf_hooks";
import { createEnv, createSite } from "../../dist/kernel/index.js";
import { firstParty } from "../../dist/plugins/main.js";

const site = await createSite(process.argv[2], {
  firstParty,
  env: createEnv({ SITE_ENV: "production", SITE_LOG_LEVEL: "error", SITE_LOG_FORMAT: "json" }),
  overrides: { system: { server: { rate_limit: 1_000_000 } } },
});
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const port = await site.listen(0);
await site.ready;
site.context("content").changes.listen("bench", ({ changes }) => {
  const routes = changes.flatMap(({ before, after }) => (after ?? before)?.route ?? []);
  process.send({ event: "changed", cpu: cpu(), routes });
});
// Longest runs: CPU time between two samples, two milliseconds apart, or wall time if that is less,
// because garbage is also collected on other threads.
const turns = [];
let last = { cpu: cpu(), at: performance.now() };
setInterval(() => {
  const now = { cpu: cpu(), at: performance.now() };
  turns.push(Math.min((now.cpu - last.cpu) / 1000, now.at - last.at));
  last = now;
}, 2);
const pauses = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) pauses.push(duration);
}).observe({ entryTypes: ["gc"] });
const longestOf = (values) =>
  values
    .splice(0)
    .toSorted((a, b) => b - a)
    .slice(0, 5);
process.on("message", (asked) => {
  process.send(
    asked === "turns"
      ? { event: "turns", turns: longestOf(turns), pauses: longestOf(pauses) }
      : { event: "cpu", cpu: cpu() },
  );
});
process.on("disconnect", () => void site.close().then(() => process.exit(0)));
process.send({ event: "ready", port });
