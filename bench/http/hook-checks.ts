/**
 * What checking the values of hooks costs, as a share of an uncached page: a plugin handles every transform hook,
 * and each payload of one page is copied and checked as the bus does. Compared with the CPU time that a site
 * without such a plugin takes for the page.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AnyHook,
  createEnv,
  createSite,
  definePlugin,
  silentLog,
  type ValueCheck,
} from "#kernel";
import { KERNEL_HOOKS } from "../../kernel/boot/set-up.js";
import { firstParty } from "../../plugins/main.js";
import { build } from "../../scripts/build.mjs";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { requestCost } from "../support/requests.js";
import { startServer } from "../support/server-process.js";

const ROUNDS = 7;
const SECONDS = 3;
const REPEATS = 20_000;
const PATHS = ["/", "/blog", "/blog/post-1"];
const COOKIE = "site_bench=1";

function writeSite(root: string): void {
  const files: Record<string, string> = {
    "site.yaml": "title: Bench\nurl: http://localhost:8000\n",
    "content/01.home/default.md": "---\ntitle: Home\n---\n\nShort.\n",
    "content/02.blog/blog.md":
      "---\ntitle: Blog\ncollection: { items: '@self.children' }\n---\n\nPosts.\n",
  };
  for (let at = 1; at <= 10; at += 1) {
    files[`content/02.blog/post-${at}/post.md`] =
      `---\ntitle: Post ${at}\ndate: 2026-01-${String(at).padStart(2, "0")}\n---\n\n${"A line of *text*.\n\n".repeat(20)}`;
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** The check of each hook that declares one. */
async function checksByHook(): Promise<ReadonlyMap<string, ValueCheck>> {
  const plugins = await Promise.all(firstParty.plugins.map(({ load }) => load()));
  const declared = [KERNEL_HOOKS, ...plugins.map(({ fires }) => fires ?? {})];
  const checks = new Map<string, ValueCheck>();
  for (const [name, hook] of declared.flatMap((one) => Object.entries(one))) {
    if (typeof hook === "object" && hook.check !== undefined) checks.set(name, hook.check);
  }
  return checks;
}

/** A payload that a handler received, with the check of its hook. */
interface Call {
  readonly data: object;
  readonly check: ValueCheck;
}

/** The payloads of the handlers that one request of each path calls. */
async function recordCalls(root: string): Promise<ReadonlyMap<string, readonly Call[]>> {
  const checks = await checksByHook();
  let calls: Call[] = [];
  const recorder = definePlugin({
    name: "recorder",
    version: "1.0.0",
    after: firstParty.plugins.map(({ name }) => name),
    setup({ hooks }) {
      for (const [name, kind] of hooks.declared()) {
        const check = checks.get(name);
        if (kind !== "transform" || check === undefined) continue;
        hooks.on(name as AnyHook, ({ data }) => void calls.push({ data: Object(data), check }));
      }
    },
  });
  const site = await createSite(root, {
    firstParty,
    env: createEnv({ SITE_ENV: "production" }),
    log: silentLog,
    extraPlugins: [recorder],
  });
  const port = await site.listen(0);
  await site.ready;
  const byPath = new Map<string, readonly Call[]>();
  for (const path of PATHS) {
    for (let time = 0; time < 2; time += 1) {
      calls = [];
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { cookie: COOKIE },
      });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await response.arrayBuffer();
    }
    byPath.set(path, calls);
  }
  await site.close();
  return byPath;
}

/** CPU time in µs of copying and checking the payloads once. */
function costOf(calls: readonly Call[]): number {
  const costs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < REPEATS; time += 1) {
      for (const { data, check } of calls) {
        const copy = { ...data };
        if (check(copy) !== null) throw new Error("a payload of the site is invalid");
      }
    }
    const { user, system } = process.cpuUsage(before);
    if (round > 0) costs.push((user + system) / REPEATS);
  }
  return median(costs);
}

async function run(): Promise<void> {
  await build();
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  writeSite(root);
  const calls = await recordCalls(root);
  const server = await startServer(["bench/support/site-server.mjs", root, "uncached"], {
    BENCH_LOG_LEVEL: "warn",
  });
  const pages = new Map(PATHS.map((path) => [path, new Array<number>()]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const path of PATHS) {
      const load = { paths: [path], connections: 8, seconds: SECONDS };
      const { cpu } = await requestCost(server, load);
      if (round > 0) pages.get(path)?.push(cpu);
    }
  }
  await server.stop();
  rmSync(root, { recursive: true });
  const rows = PATHS.map((path) => {
    const ofPath = calls.get(path) ?? [];
    const [page, checks] = [median(pages.get(path) ?? []), costOf(ofPath)];
    const share = `${short((checks / page) * 100)} %`;
    return [`\`${path}\``, String(ofPath.length), short(checks), short(page), share];
  });
  const head = ["page", "checked payloads", "checks µs", "page µs", "share"];
  await writeSection(
    "hook-checks",
    `## Checks of the values of hooks

${machine()}. A plugin handles every transform hook; the payloads of one uncached request are copied and checked as after each handler. CPU times, medians of ${ROUNDS} rounds. The page is that of a site without such a plugin, from its process. The blog lists ten posts. The limit is 2 %.

${table(head, rows)}`,
  );
}

await runAsScript(import.meta.url, run);
