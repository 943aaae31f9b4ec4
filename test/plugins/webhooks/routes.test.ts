import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";
import { deferred } from "../../support/deferred.js";

const path = "/api/webhook/incoming";
const token = "a-token-of-more-than-16";
const other = "another-token-of-16-up";

describe("POST /api/webhook/incoming", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function boot(
    incoming: unknown[],
    env: Record<string, string | undefined> = {},
  ): Promise<void> {
    site = await bootSite({
      plugins: ["content", "webhooks", "security"],
      settings: { admin: { incoming_webhooks: incoming } },
      env,
    });
  }
  function post(headers: Record<string, string>, body?: string): Promise<Response> {
    return site.fetch(path, { method: "POST", headers, ...(body !== undefined && { body }) });
  }
  const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
  const both = { token, actions: ["rebuild", "purge-cache"] };

  it("responds 501 without configuration, to any token and body", async () => {
    await boot([]);
    for (const [headers, body] of [
      [{}, undefined],
      [bearer(token), undefined],
      [{}, "{"],
      [{}, JSON.stringify({ token })],
    ] as const) {
      const answer = await post(headers, body);
      assert.equal(answer.status, 501);
      assert.equal(typeof (await answer.json()).error, "string");
    }
  });

  it("runs every permitted action by default, with the token in the header or the body", async () => {
    await boot([both]);
    for (const answer of [await post(bearer(token)), await post({}, JSON.stringify({ token }))]) {
      assert.equal(answer.status, 200);
      assert.deepEqual(await answer.json(), { ok: true, executed: ["rebuild", "purge-cache"] });
    }
  });

  it("prefers the header when both are sent", async () => {
    await boot([both]);
    assert.equal(
      (await post(bearer("wrong-token-of-16-up"), JSON.stringify({ token }))).status,
      401,
    );
    assert.equal((await post(bearer(token), JSON.stringify({ token: "wrong" }))).status, 200);
  });

  it("runs requested and permitted actions, and responds 400 without any", async () => {
    await boot([
      { token, actions: ["rebuild"] },
      { token: other, actions: ["purge-cache"] },
      { token: other, actions: ["rebuild"] },
    ]);
    const ask = (actions: unknown, as = token) => post(bearer(as), JSON.stringify({ actions }));
    assert.equal((await ask(["purge-cache"])).status, 400);
    assert.equal((await ask([])).status, 400);
    assert.deepEqual((await (await ask(["rebuild", "purge-cache"])).json()).executed, ["rebuild"]);
    const union = await (await ask(["rebuild", "purge-cache"], other)).json();
    assert.deepEqual(union.executed, ["purge-cache", "rebuild"]);
  });

  it("an unset, empty or short token matches nothing", async () => {
    await boot(
      [
        { token: "$UNSET", actions: ["rebuild"] },
        { token: "", actions: ["rebuild"] },
        { token: "short", actions: ["rebuild"] },
      ],
      { UNSET: undefined },
    );
    const calls: [Record<string, string>, string | undefined][] = [
      [{ Authorization: "Bearer " }, undefined],
      [{ Authorization: "Bearer" }, undefined],
      [{}, undefined],
      [bearer("$UNSET"), undefined],
      [bearer("short"), undefined],
      ...["", null, "$UNSET", "short"].map((value): [Record<string, string>, string] => [
        {},
        JSON.stringify({ token: value }),
      ]),
    ];
    for (const [headers, body] of calls) {
      const answer = await post(headers, body);
      assert.equal(answer.status, 401, JSON.stringify([headers, body]));
    }
  });

  it("responds 400 or 401 to values of another type", async () => {
    await boot([both]);
    const tokens = [[token], { token }, 1, true, [[]], {}].map((value) => ({ token: value }));
    for (const body of tokens) assert.equal((await post({}, JSON.stringify(body))).status, 401);
    for (const actions of ["rebuild", {}, 1, [1], [["rebuild"]], null]) {
      assert.equal((await post(bearer(token), JSON.stringify({ actions }))).status, 400);
    }
    assert.equal(
      (await post(bearer(token), '{"__proto__": {"actions": ["rebuild"]}}')).status,
      200,
    );
    assert.equal((await post(bearer(token), "{")).status, 400);
    assert.equal((await post(bearer(token), "[]")).status, 400);
    const many = JSON.stringify({ actions: Array<string>(1_000_000).fill("rebuild") });
    assert.equal((await post(bearer(token), many)).status, 413);
  });

  it("responds 401 to thirty wrong tokens a minute, then 429 with Retry-After", async () => {
    await boot([both]);
    for (let at = 0; at < 30; at += 1)
      assert.equal((await post(bearer(`wrong-token-${at}-wrong`))).status, 401);
    const answer = await post(bearer("wrong-token-30-wrong"));
    assert.equal(answer.status, 429);
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
    assert.equal((await post(bearer(token))).status, 429);
  });

  it("accepts no other method, and no token in the query", async () => {
    await boot([both]);
    assert.equal((await site.fetch(`${path}?token=${token}`)).status, 405);
    assert.equal((await site.fetch(`${path}?token=${token}`, { method: "POST" })).status, 401);
  });

  it("reads the token at each call", async () => {
    const env: Record<string, string | undefined> = { SITE_ENV: "dev", TOKEN: token };
    const { createEnv, createSite } = await import("#kernel");
    const { silentLog } = await import("#kernel");
    const { firstParty } = await import("../../../plugins/main.js");
    await boot([]);
    await site.write(
      "admin.yaml",
      "incoming_webhooks:\n  - token: $TOKEN\n    actions: [rebuild]\n",
    );
    const live = await createSite(site.root, {
      firstParty,
      env: createEnv(env),
      log: silentLog,
      selection: ["content", "webhooks"],
    });
    const port = await live.listen(0);
    await live.ready;
    const call = (value: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers: bearer(value) }).then(
        ({ status }) => status,
      );
    assert.equal(await call(token), 200);
    env["TOKEN"] = other;
    assert.equal(await call(token), 401);
    assert.equal(await call(other), 200);
    await live.close();
  });

  it("500 calls share their rebuilds, respond at once, and do not block reads", async () => {
    await boot([both]);
    let rebuilds = 0;
    const answered = deferred<void>();
    const content = site.site.use("content");
    await content.apply([{ op: "write", path: "01.home/default.md", content: "# Home\n" }]);
    const before = content.generation().id;
    const rebuild = content.rebuild.bind(content);
    content.rebuild = async () => {
      rebuilds += 1;
      await answered.promise;
      return rebuild();
    };
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => post(bearer(token), '{"actions":["rebuild"]}')),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    await until(() => rebuilds >= 1);
    assert.equal(rebuilds, 1);
    assert.equal(content.view().list({ offset: 0, limit: 1 }).total, 1);
    answered.resolve();
    await until(() => rebuilds >= 2);
    await until(() => content.generation().id > before);
    await content.rebuild();
    assert.equal(rebuilds, 3);
  });

  it("purge-cache clears processed images and cached responses", async () => {
    const called: string[] = [];
    const fake = definePlugin({
      name: "media",
      version: "1.0.0",
      setup: (context) => {
        context.provide("media", {
          purge: async () => void called.push("media"),
          srcset: () => "",
          sendFile: async () => false,
          sendBytes: async () => undefined,
          openBucket: () => assert.fail("no bucket is configured"),
          assertFileType: async () => undefined,
          imageSize: async () => null,
          imageAttributes: async () => ({}),
          imageProblem: () => Promise.resolve(null),
          imageProblems: () => Promise.resolve([]),
          srcsetOf: () => Promise.resolve(""),
          imageSources: () => null,
          stats: () => ({ processed: 0, hits: 0, running: 0, waiting: 0 }),
        });
      },
    });
    site = await bootSite({
      plugins: ["content", "webhooks"],
      extraPlugins: [fake],
      settings: { admin: { incoming_webhooks: [both] } },
    });
    assert.equal((await post(bearer(token), '{"actions":["purge-cache"]}')).status, 200);
    assert.deepEqual(called, ["media"]);
  });
});
