// The compiled site on a free port, as `site serve` runs it in production.
import { createEnv, createSite } from "../../dist/kernel/index.js";
import { firstParty } from "../../dist/plugins/main.js";

const [root, mode = "cached"] = process.argv.slice(2);
const uncached = {
  name: "uncached",
  version: "1.0.0",
  setup: ({ http }) => http.edge("observe", (req) => void (req.headers.cookie = "site_bench=1")),
};
const site = await createSite(root, {
  firstParty,
  env: createEnv({
    SITE_ENV: "production",
    SITE_LOG_LEVEL: process.env.BENCH_LOG_LEVEL ?? "info",
    SITE_LOG_FORMAT: "json",
  }),
  // A fast machine sends more in a minute than the largest limit allows.
  overrides: { system: { server: { rate_limit: false } } },
  // Requests with a session cookie are never served from the cache.
  extraPlugins: mode === "cached" ? [] : [uncached],
});
const port = await site.listen(0);
await site.ready;
process.stdout.write(`listening ${port}\n`);
process.on("SIGTERM", () => void site.close().then(() => process.exit(0)));
