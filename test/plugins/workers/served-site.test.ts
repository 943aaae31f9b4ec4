import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { createEnv } from "../../../kernel/config/env.js";
import { ServedSite } from "../../../plugins/workers/served-site.js";
import { readReloadNote } from "../../../plugins/workers/reload-state.js";
import { silentLog } from "#lib/log";
import { createSite, type Site } from "../../../kernel/boot/create-site.js";
import { firstParty } from "../../../plugins/main.js";
import { makeRoot } from "../../support/sites/config-root.js";
import { until } from "../../support/until.js";

const TOKEN = "0123456789abcdef";
const health = z.looseObject({
  status: z.string(),
  config: z.object({
    state: z.string(),
    problems: z.array(
      z.object({
        file: z.string().nullable(),
        line: z.number().nullable(),
        key: z.string().nullable(),
        message: z.string(),
      }),
    ),
  }),
});

describe("ServedSite", () => {
  let root = "";
  let url = "";
  let served: ServedSite;
  let booted: Site[] = [];
  const yaml = (title: string, more = ""): Promise<void> =>
    writeFile(join(root, "site.yaml"), `title: ${title}\nhealth_token: ${TOKEN}\n${more}`);
  beforeEach(async () => {
    root = await makeRoot({
      "site.yaml": `title: First\nhealth_token: ${TOKEN}\n`,
      "content/01.home/default.md": "---\ntitle: Home\n---\n\nHello.\n",
      "content/02.notes/default.md": "---\ntitle: Notes\n---\n\nWords.\n",
    });
    booted = [];
    served = new ServedSite({
      root,
      host: "127.0.0.1",
      create: async (more) => {
        const env = createEnv({ SITE_ENV: "production" });
        const site = await createSite(root, { firstParty, env, log: silentLog, ...more });
        booted.push(site);
        return site;
      },
      created: () => Promise.resolve(),
    });
    const site = await served.create(() => undefined);
    url = `http://127.0.0.1:${await served.listen(0)}`;
    await site.ready;
  });
  afterEach(() => served.close());
  const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
  const report = async (): Promise<z.output<typeof health>> =>
    health.parse(JSON.parse(await text(`/health?detailed=true&token=${TOKEN}`)));

  it("replaces the site on its port without a failed request, and only one leads at a time", async () => {
    let isDone = false;
    const statuses: number[] = [];
    const load = async (): Promise<void> => {
      while (!isDone) statuses.push((await fetch(`${url}/notes`)).status);
    };
    const loads = [load(), load(), load()];
    await yaml("Second");
    assert.equal(await served.reload(), null);
    await until(async () => (await text("/")).includes("Second"));
    const [first, second] = booted.map((site) => site.context("cli").runtime.workers);
    assert.deepEqual([first?.isFirst, second?.isFirst], [true, false]);
    assert.notEqual(first?.isLeader, second?.isLeader);
    await until(() => second?.isLeader === true);
    isDone = true;
    await Promise.all(loads);
    assert.ok(statuses.length > 0);
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.equal((await report()).config.state, "valid");
  });

  it("follows files after it has taken over, and those written in between", async () => {
    assert.equal(await served.reload(), null);
    await writeFile(join(root, "content/02.notes/default.md"), "---\ntitle: Between\n---\n");
    await until(async () => (await text("/notes")).includes("Between"));
    await until(() => booted[1]?.context("cli").runtime.workers.isLeader === true);
    await writeFile(join(root, "content/02.notes/default.md"), "---\ntitle: After\n---\n");
    await until(async () => (await text("/notes")).includes("After"));
  });

  it("goes on with the running site when site.yaml is invalid, and says where", async () => {
    await yaml("Second", "titel: wrong\n");
    const error = await served.reload();
    assert.ok(error instanceof Error && "code" in error && error.code === "ERR_CONFIG_INVALID");
    assert.match(await text("/"), /First/);
    const { status, config } = await report();
    assert.equal(status, "degraded");
    assert.equal(config.state, "invalid");
    const [{ file, line, key } = { file: "", line: 0, key: "" }] = config.problems;
    assert.deepEqual({ file, line, key }, { file: "site.yaml", line: 3, key: "titel" });
    assert.equal(
      (await readReloadNote(served.site.context("cli").paths.runtime))?.state,
      "invalid",
    );
    await yaml("Third");
    assert.equal(await served.reload(), null);
    assert.match(await text("/"), /Third/);
    assert.equal((await report()).status, "ok");
  });

  it("goes on with the running site when a page of the new one cannot be rendered", async () => {
    await writeFile(join(root, "bad.ts"), BROKEN);
    await yaml("Second", "plugins:\n  bad: { src: ./bad.ts }\n");
    const error = await served.reload();
    assert.ok(error instanceof Error && "code" in error && error.code === "ERR_SITE_CHECK");
    assert.equal(error.message, "GET / responds with 500: on purpose");
    assert.match(await text("/"), /First/);
    const [{ file, line } = { file: "", line: 0 }] = (await report()).config.problems;
    assert.deepEqual({ file, line }, { file: "bad.ts", line: 3 });
  });

  it("closes while it reloads", async () => {
    const reloading = served.reload();
    await delay(5);
    await served.close();
    await reloading;
    await assert.rejects(fetch(url));
  });
});

const BROKEN = `export default {
  name: "bad", version: "1.0.0",
  setup(site) { site.http.use("routes", () => { throw new Error("on purpose"); }); },
};
`;
